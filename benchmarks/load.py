"""`python -m benchmarks.load`: a client in a process of its own, cheap on purpose.

Reads {"port", "path", "headers", "body", "seconds", "connections"} from standard input; body may
hold "@uuid@", and "@code@" where there are "codes", of which each is sent once. Sends over
persistent connections, one request at a time on each, and prints statuses and latencies.

With a "rate" so many a second are due, and each latency counts from there: whoever had to wait for
an answer before counts as having waited.
"""

import json
import socket
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from itertools import count, repeat
from typing import Any


class Connection:
    """A persistent HTTP connection; parses just enough of an answer to find the next."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.address = ("127.0.0.1", order["port"])
        self.body = order["body"]
        self.head = (
            f"POST {order['path']} HTTP/1.1\r\nHost: 127.0.0.1:{order['port']}\r\n"
            + "".join(f"{name}: {value}\r\n" for name, value in order["headers"].items())
        )
        self.socket: socket.socket | None = None
        self.answered: dict[int, int] = {}
        self.seconds: list[float] = []

    def send_until(self, deadline: float, codes: Iterator[str], times: Iterator[float]) -> None:
        while (began := _wait_until(next(times))) < deadline:
            code = next(codes, None)
            if code is None:
                break
            body = self.body.replace("@uuid@", str(uuid.uuid4())).replace("@code@", code)
            request = f"{self.head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
            status = self._exchange(request)
            self.seconds.append(time.perf_counter() - began)
            self.answered[status] = self.answered.get(status, 0) + 1

    def _exchange(self, request: bytes) -> int:
        if self.socket is None:
            self.socket = socket.create_connection(self.address, timeout=30)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(request)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._read()
        head, _, body = data.partition(b"\r\n\r\n")
        lower = head.lower()
        length = int(lower.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self._read()
        if b"connection: close" in lower:
            self.socket.close()
            self.socket = None
        return int(head[9:12])

    def _read(self) -> bytes:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed a connection in the middle of an answer")
        return data


def _wait_until(due: float) -> float:
    """Wait, and return when the request was due: now where nobody has said."""
    now = time.perf_counter()
    if due > now:
        time.sleep(due - now)
    return due or now


def _times(order: dict[str, Any], began: float, number: int) -> Iterator[float]:
    """When each request of a connection is due."""
    if rate := order.get("rate"):
        return count(began + number / rate, order["connections"] / rate)
    return repeat(0.0)


def run(order: dict[str, Any]) -> dict[str, Any]:
    connections = [Connection(order) for _ in range(order["connections"])]
    began = time.perf_counter()
    deadline = began + order["seconds"]
    codes, size = order.get("codes"), len(connections)
    shares = [iter(codes[start::size]) if codes else repeat("") for start in range(size)]
    threads = [
        threading.Thread(
            target=connection.send_until, args=(deadline, share, _times(order, began, number))
        )
        for number, (connection, share) in enumerate(zip(connections, shares, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - began
    latencies = sorted(second for connection in connections for second in connection.seconds)
    statuses: dict[int, int] = {}
    for connection in connections:
        for status, number in connection.answered.items():
            statuses[status] = statuses.get(status, 0) + number
    return {
        "per_second": statuses.get(201, 0) / elapsed,
        "statuses": statuses,
        "p50_ms": 1000 * latencies[len(latencies) // 2],
        "p95_ms": 1000 * latencies[int(len(latencies) * 0.95)],
        "p99_ms": 1000 * latencies[int(len(latencies) * 0.99)],
        "max_ms": 1000 * latencies[-1],
    }


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
