"""A collector of traces, as an operator has one: OTLP over HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Messages = list[tuple[str, ExportTraceServiceRequest]]


@contextmanager
def collecting() -> Iterator[tuple[str, Messages]]:
    """Yields its address, and the messages that it has got so far, each with its path."""
    got: Messages = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def spans_of(got: Messages) -> list[Any]:
    return [
        span
        for _, message in list(got)
        for resource in message.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
