"""A server of a test's own, which answers as it is told: with faults that no real site makes."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from candor import Candor

TOKEN = "candor_secret"


def problem(status, code, **more):
    document = {"title": "No", "status": status, "detail": "Not so.", "code": code, **more}
    return status, {"Content-Type": "application/problem+json"}, json.dumps(document).encode()


def said(document, **headers):
    return 200, {"Content-Type": "application/json", **headers}, json.dumps(document).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        status, headers, content = self.server.answers.pop(0)
        if status == 0:
            # The connection ends without an answer, as when a server is killed.
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        if "Content-Length" in headers:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


@contextmanager
def serving(*answers):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.answers = [], list(answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        with Candor(f"http://127.0.0.1:{server.server_port}", TOKEN) as site:
            yield site, server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
