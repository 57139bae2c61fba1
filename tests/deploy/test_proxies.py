"""nginx and Caddy as deploy/ sets them up: what they pass on, and that no line tells who came."""

import http.client
import os
import re
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.deploy.support import DEPLOY, program, said
from tests.system.stack import free_port, wait_for

pytestmark = pytest.mark.system
NAME = "survey.example.org"
# Where the client is; the proxy and its upstream are at 127.0.0.1.
CLIENT = "127.0.0.2"
# What a client says of itself, and must not be believed.
CLAIMED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "gopher"}
SECRET_PATH = "/s/a-survey-that-nobody-logs/"
NGINX = """
worker_processes 1; daemon off; master_process off; pid {folder}/nginx.pid;
error_log {folder}/nginx.log info;
events {{ worker_connections 64; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/site.conf;
}}
"""


class Upstream(BaseHTTPRequestHandler):
    """A web server that says which headers it has got."""

    protocol_version = "HTTP/1.1"
    # Of how many requests it dies, and which came.
    deaths = 0
    came: list[str] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.came.append(self.path)
        if len(self.came) <= Upstream.deaths:
            self.close_connection = True
            return
        said = "\n".join(f"{name}: {value}" for name, value in self.headers.items()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def upstream(port: int) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", port), Upstream)
    # Whose request was cut short has nobody to answer to.
    server.handle_error = lambda *_: None
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def certificate(folder: Path) -> None:
    said(
        program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=survey.example.org",
        "-addext", "subjectAltName=DNS:survey.example.org",
        "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem",
    )  # fmt: skip


class Front:
    """A proxy that runs, on ports of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plain, self.port, self.upstream = folder, *(free_port() for _ in "123")

    def post(self, size: int = 3, path: str = SECRET_PATH) -> http.client.HTTPResponse:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(CLIENT, 0)
        )
        connection.connect()
        connection.sock = context.wrap_socket(connection.sock, server_hostname=NAME)
        headers = {"Host": NAME, **CLAIMED}
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request("POST", path, b"x" * size, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode()
        connection.close()
        return answer

    def serves(self) -> bool:
        with suppress(OSError, http.client.HTTPException):
            return self.post().status == 200
        return False

    def logged(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))


@contextmanager
def nginx(folder: Path, *, twice: bool = False) -> Iterator[Front]:
    front = Front(folder)
    certificate(folder)
    text = (DEPLOY / "nginx/candor.conf").read_text(encoding="utf-8")
    assert text.count("max_fails=0") == 2
    # Nobody listens at the other's port: it refuses, as one does that starts anew.
    other = front.upstream if twice else free_port()
    ports = {"80": front.plain, "443": front.port, "8001": other, "8002": front.upstream}
    for port, ours in ports.items():
        text = re.sub(rf"(listen (?:\[::\]:)?|127\.0\.0\.1:){port}\b", rf"\g<1>{ours}", text)
    text = re.sub(r"listen \[::\].*", "", text)
    (folder / "site.conf").write_text(text.replace("/etc/candor/tls", str(folder)))
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    said(*command, "-t")
    with running(command, folder, {}):
        yield front


@contextmanager
def caddy(folder: Path, **_: bool) -> Iterator[Front]:
    front = Front(folder)
    text = (DEPLOY / "caddy/Caddyfile").read_text(encoding="utf-8")
    ports = f"\thttp_port {front.plain}\n\thttps_port {front.port}\n\tskip_install_trust\n"
    text = text.replace("{\n", "{\n" + ports, 1).replace(
        "lb_try_duration 20s", "lb_try_duration 1s"
    )
    (folder / "Caddyfile").write_text(text)
    environment = {
        **{"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        **{"SITE_NAME": NAME, "SITE_TLS": "internal"},
        **{"UPSTREAM": "127.0.0.1", "UPSTREAM_PORT": str(front.upstream)},
    }
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", "Caddyfile"]
    with running(command, folder, environment):
        yield front


@contextmanager
def running(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[None]:
    with (folder / "said.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(params=[nginx, caddy], ids=lambda start: start.__name__)
def front(request, tmp_path):
    # Debian's nginx gives up root's rights for those of another user, who has to get in.
    tmp_path.chmod(0o755)
    with request.param(tmp_path) as front:
        yield front


def test_a_proxy_passes_on_the_truth_and_keeps_none_of_it(front):
    with upstream(front.upstream):
        wait_for(front.serves)
        headers = dict(line.split(": ", 1) for line in front.post().text.splitlines())
        assert headers["X-Forwarded-For"] == CLIENT
        assert headers["X-Forwarded-Proto"] == "https"
        assert headers["Host"] == NAME
        # What Candor refuses in words of its own reaches it; what nobody needs does not.
        assert front.post(2_900_000).status == 200
        # An older Caddy notices only while it passes it on.
        assert front.post(3_400_000).status in (413, 503)
        with closing(http.client.HTTPConnection("127.0.0.1", front.plain)) as plain:
            plain.request("GET", "/x", headers={"Host": NAME})
            answer = plain.getresponse()
            assert answer.status in (301, 308)
            assert answer.headers["Location"] == f"https://{NAME}/x"
    # Nobody is there any more.
    assert_comes_again(front.post())
    logged = front.logged()
    assert logged
    assert [trace for trace in (CLIENT, SECRET_PATH, *CLAIMED.values()) if trace in logged] == []


def assert_comes_again(answer: http.client.HTTPResponse) -> None:
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("start", [nginx, caddy], ids=lambda start: start.__name__)
def test_over_what_a_server_dies_comes_again_and_nginx_sends_responses_to_the_next(
    start, tmp_path, monkeypatch
):
    tmp_path.chmod(0o755)
    with start(tmp_path, twice=True) as front, upstream(front.upstream):
        wait_for(front.serves)
        for path in ("/s/health/responses/", "/s/health/arm/", "/admin/"):
            monkeypatch.setattr(Upstream, "came", [])
            monkeypatch.setattr(Upstream, "deaths", 1)
            answer = front.post(path=path)
            # Caddy does not keep a body that it has passed on; the browser sends it again.
            if path.endswith("/responses/") and start is nginx:
                assert answer.status == 200
                assert Upstream.came == [path] * 2
            else:
                assert_comes_again(answer)
                assert Upstream.came == [path]
