"""Web servers behind an nginx that keeps its connections, as docs/operating.md has them.

It needs `nginx` on the PATH or in /usr/sbin: scripts/nginx.sh finds or installs Debian's.
"""

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.system.answering_process import ROOT
from tests.system.stack import free_port, wait_for

WEB = ("-m", "gunicorn", "--config", "config/stack/gunicorn.conf.py", "config.wsgi")
NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log error;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream candor {{ {servers} keepalive 32; keepalive_timeout 10s; }}
    server {{
        listen 127.0.0.1:{port};
        location {path}/ {{
            proxy_pass http://candor{passed_on}; proxy_http_version 1.1;
            proxy_set_header Connection ""; proxy_set_header Host $http_host;
        }}
    }}
}}
"""


def program() -> str | None:
    """The nginx of this machine; Debian's is where only administrators look."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ["PATH"], "/usr/sbin"]))


def answers(site: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{site}/healthz", timeout=5):
        return True
    return False


class Web:
    """One web server of the site; `restart` ends it in order and starts the next."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.port = free_port()
        self.environment = {**environment, "HOST": "127.0.0.1", "PORT": str(self.port)}
        self._start()

    def _start(self) -> None:
        # Without a broker it says that results lag.
        self.process = subprocess.Popen(
            [sys.executable, *WEB], cwd=ROOT, env=self.environment, stderr=subprocess.DEVNULL
        )
        wait_for(lambda: answers(f"http://127.0.0.1:{self.port}"), every=0.05)

    def restart(self) -> None:
        self.close()
        self._start()

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)


@contextmanager
def nginx_before(
    ports: Sequence[int], folder: Path, *, path: str = "", strips: bool = False
) -> Iterator[str]:
    """Yield the address of the site behind nginx. `path`: below which it is the site's, and which
    it takes away if it `strips`; without a slash at its end.
    """
    nginx, port = program(), free_port()
    assert nginx, "No nginx: `make nginx` finds or installs one."
    servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
    passed_on = "/" if strips else ""
    text = NGINX.format(folder=folder, servers=servers, port=port, path=path, passed_on=passed_on)
    (folder / "nginx.conf").write_text(text)
    command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        site = f"http://127.0.0.1:{port}{path}"
        wait_for(lambda: answers(site), every=0.05)
        yield site
    finally:
        process.terminate()
        process.wait(timeout=30)
