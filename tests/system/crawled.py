"""A crawl of a site: what its pages, styles and documents lead to, address after address."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

# Attributes with one address. Of data attributes, those whose value looks like one.
_ADDRESSES = {"href", "src", "action", "formaction", "poster", "cite"}
_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)")
_IMPORT = re.compile(r"(?:from|import)\s*\(?\s*[\"'](\.{0,2}/[^\"']+)[\"']")
# What differs between pages of one kind: a number, the value of a parameter, the table of a file,
# the survey whose file it is.
_DIFFERENT = re.compile(
    r"(?<=/)\d+(?=/|$)|(?<==)[^&]*|(?<=/s/)[a-z-]+(?=/results/.)|(?<=/results/)[a-z_]+(?=\.)"
    r"|(?<=/start/)[a-z-]+"
)
LEFT_ALONE = ("/logout/",)
SECONDS = 120


@dataclass
class Crawl:
    """Follows what is below `site`; `wrong` has what is outside, or is answered with an error."""

    site: str
    cookies: str = ""
    wrong: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)

    def follow(self, *starts: str) -> None:
        waiting = [(start, "the start") for start in starts]
        while waiting:
            address, of = waiting.pop(0)
            kind = _DIFFERENT.sub("#", address)
            if kind in self.asked:
                continue
            self.asked[kind] = address
            found = self._fetched(address, of)
            waiting += [(each, address) for each in found]

    def _fetched(self, address: str, of: str) -> list[str]:
        request = urllib.request.Request(address, headers={"Cookie": self.cookies})
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                media = answer.headers.get_content_type()
                text = answer.read().decode(errors="replace")
                at = answer.url
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error, f"{address} (on {of})")
            return []
        if not self._is_inside(at):
            self.wrong.append(f"{address} leads to {at} (on {of})")
        return [*self._inside(at, _leading(text, media), of)]

    def _refused(self, error: urllib.error.HTTPError, where: str) -> None:
        self.wrong.append(f"{error.code} {where}")

    def _inside(self, at: str, found: Iterator[tuple[str, bool]], of: str) -> Iterator[str]:
        for written, is_followed in found:
            address = urldefrag(urljoin(at, written)).url
            if urlsplit(address).netloc != urlsplit(self.site).netloc:
                continue
            if not self._is_inside(address):
                self.wrong.append(f"{written!r} on {at}")
            elif is_followed and not urlsplit(address).path.endswith(LEFT_ALONE):
                yield address

    def _is_inside(self, address: str) -> bool:
        return f"{address.partition('?')[0]}/".startswith(f"{self.site}/")


def _leading(text: str, media: str) -> Iterator[tuple[str, bool]]:
    """The addresses in an answer as they are written, and whether to ask for them."""
    if media == "text/html":
        reader = _Reader()
        reader.feed(text)
        yield from reader.found
    elif media == "text/css":
        yield from ((each, True) for each in _URL.findall(text) if not each.startswith("data:"))
    elif media == "text/javascript":
        yield from ((each, True) for each in _IMPORT.findall(text))
    elif media == "application/json":
        # The keys of an OpenAPI document are below the address of its server.
        yield from ((each, False) for each in _texts(json.loads(text)) if _is_address(each))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        posts = tag == "form" and named.get("method", "get").lower() == "post"
        for name, value in named.items():
            if name == "content" and "url=" in value:
                self.found.append((value.partition("url=")[2], True))
            elif name in _ADDRESSES and not value.startswith(("data:", "mailto:", "blob:")):
                self.found.append((value, not (posts or name == "formaction")))
            elif name.startswith("data-") and _is_address(value):
                # What a script asks for, or posts to.
                self.found.append((value, False))


def _is_address(text: str) -> bool:
    return re.fullmatch(r"(https?://[^/\s]+)?/[^\s{}]*", text) is not None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value
