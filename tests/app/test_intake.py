"""The web server's channel, beyond that of Waitress."""

import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from waitress.adjustments import Adjustments
from waitress.utilities import BadRequest

from config.stack.intake import Channel, Refusal


@pytest.fixture
def ends() -> Iterator[tuple[Channel, socket.socket]]:
    """A channel that has refused a request, and the client's end of its connection."""
    server_end, client_end = socket.socketpair()
    adj = Adjustments()
    server = SimpleNamespace(active_channels={}, is_ending=False, adj=adj, pull_trigger=list)
    channel = Channel(server, server_end, None, adj, map={})
    channel.ends_slowly = True
    client_end.setblocking(False)
    yield channel, client_end
    channel.close()
    client_end.close()


def append_answer(channel: Channel) -> None:
    channel.outbufs[-1].append(b"HTTP/1.1 413")
    channel.total_outbufs_len += 12


def test_an_answer_that_its_thread_is_writing_is_sent_by_that_thread_alone(ends):
    """Sent by both, its head would come twice, and a client would read the second as the body."""
    channel, client = ends
    channel.requests = [SimpleNamespace(close=lambda: None)]
    append_answer(channel)
    entered, over = threading.Event(), threading.Event()

    def hold():
        with channel.outbuf_lock:
            entered.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait(60)
    channel.handle_write()
    over.set()
    thread.join()
    with pytest.raises(BlockingIOError):
        client.recv(100)
    channel.handle_write()
    assert client.recv(100) == b"HTTP/1.1 413"


def test_what_is_left_of_an_answer_is_sent_and_our_side_ends(ends):
    channel, client = ends
    append_answer(channel)
    channel.close_when_flushed = True
    channel.handle_write()
    assert client.recv(100) == b"HTTP/1.1 413"
    assert client.recv(100) == b""
    assert channel.thrown_away == 0


def test_head_and_body_are_sent_as_one(ends, monkeypatch):
    """Killed between two, a process would leave half an answer that a proxy has passed on."""
    channel, _client = ends
    sent = []
    monkeypatch.setattr(channel, "send", lambda data, **_: sent.append(bytes(data)) or len(data))
    request = channel.parser_class(channel.adj)
    request.version, request.error = "1.1", BadRequest("No.")
    Refusal(channel, request).service()
    assert len(sent) == 1
    head, _, body = sent[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"No." in body
