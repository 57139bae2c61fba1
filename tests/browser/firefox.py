#!/usr/bin/env python3
"""Stands between Playwright and a Firefox that is older than Playwright expects.

Playwright starts this program in Firefox's place, with Firefox's arguments. It starts Firefox, and
passes on what both say by WebDriver BiDi. Only where Firefox does not know a command that emulates
something (a colour scheme, say), the answer is that it is done: pages are then shown as they are.
"""

import asyncio
import json
import os
import re
import sys
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
UNKNOWN = "unknown command"
# Messages can be long, and both ends are on this machine.
OPEN = {"max_size": None, "ping_interval": None, "compression": None}


async def main(program: str, arguments: list[str]) -> int:
    """Run Firefox to its end; returns its exit code."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        return await run(program, arguments, home)


async def run(program: str, arguments: list[str], home: str) -> int:
    # Firefox writes into the home of whoever runs it, besides its profile.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    firefox = await asyncio.create_subprocess_exec(
        program, *arguments, stderr=asyncio.subprocess.PIPE, env={**kept, "HOME": home}
    )
    async for line in firefox.stderr:
        if found := LISTENING.search(line):
            break
        sys.stderr.buffer.write(line)
    else:
        return await firefox.wait()
    async with serve(
        partial(relay, f"{found[1].decode()}/session"), "127.0.0.1", 0, **OPEN
    ) as ours:
        (_, port) = ours.sockets[0].getsockname()
        sys.stderr.write(f"WebDriver BiDi listening on ws://127.0.0.1:{port}\n")
        sys.stderr.flush()
        await firefox.stderr.read()
    return await firefox.wait()


async def relay(address: str, playwright: ServerConnection) -> None:
    async with connect(address, proxy=None, **OPEN) as firefox:
        forth = asyncio.create_task(pass_on(playwright, firefox))
        async for message in firefox:
            await playwright.send(settled(message))
        forth.cancel()


async def pass_on(sender: ServerConnection, receiver: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for message in sender:
            await receiver.send(message)


def settled(message: str) -> str:
    """The message, or success where Firefox does not know how to emulate something.

    >>> settled('{"type": "error", "id": 3, "error": "unknown command", "message": "emulation.x"}')
    '{"type": "success", "id": 3, "result": {}}'
    >>> settled('{"type": "error", "id": 3, "error": "unknown command", "message": "script.x"}')
    '{"type": "error", "id": 3, "error": "unknown command", "message": "script.x"}'
    """
    if UNKNOWN not in message:
        return message
    answer = json.loads(message)
    if answer.get("error") != UNKNOWN or not answer["message"].startswith("emulation."):
        return message
    return json.dumps({"type": "success", "id": answer["id"], "result": {}})


if __name__ == "__main__":
    sys.exit(asyncio.run(main(os.environ["CANDOR_FIREFOX"], sys.argv[1:])))
