"""An nginx before web servers, as docs/operating.md describes a proxy.

Debian's `nginx-light` has all that this needs (`make nginx`).
"""

import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.system.stack import free_port, wait_for

# Where Debian installs it, which is not on everybody's PATH.
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
# Responses are stored once under their id, so one that a server did not answer is sent to the next.
LOCATION = """
    location / {{ {proxied} }}
    location ~ ^/s/[^/]+/responses/$ {{
        {proxied} proxy_next_upstream error timeout non_idempotent;
    }}
"""
PROXIED = """
    proxy_pass http://candor; proxy_http_version 1.1;
    proxy_set_header Connection ""; proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
"""
CONFIG = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log error;
events {{ worker_connections 1024; }}
http {{
    access_log off; client_max_body_size 3m;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream candor {{ {servers} keepalive 32; keepalive_timeout 10s; }}
    server {{
        listen 127.0.0.1:{port};
        error_page 502 504 =503 @away;
        location @away {{ add_header Retry-After 5 always; return 503; }}
        {location}
    }}
}}
"""


def program() -> str:
    """Where nginx is. Raises FileNotFoundError with what to install."""
    found = shutil.which("nginx", path=PATH)
    if not found:
        raise FileNotFoundError("There is no nginx; on Debian: apt-get install nginx-light")
    return found


@contextmanager
def nginx_before(
    ports: Iterable[int], folder: Path, *, location: str = LOCATION, healthz: str = "/healthz"
) -> Iterator[int]:
    """The port of an nginx that keeps its connections to the web servers at `ports`.

    `location` is what stands in its `server`, where `{proxied}` is all that passes a request on.
    It keeps its files in `folder`, and is there once it passes on `healthz`.
    """
    port = free_port()
    text = CONFIG.format(
        folder=folder,
        servers=" ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports),
        port=port,
        location=location.format(proxied=PROXIED),
    )
    (folder / "nginx.conf").write_text(text)
    command = [program(), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: answers(port, healthz), every=0.05)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=60)


def answers(port: int, path: str = "/healthz") -> bool:
    address = f"http://127.0.0.1:{port}{path}"
    with suppress(OSError), urllib.request.urlopen(address, timeout=5):
        return True
    return False
