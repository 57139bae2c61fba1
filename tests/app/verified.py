"""A site for the program that checks pages: as production serves it, without a server."""

import json
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from candor.verification import Fetched
from django.contrib.staticfiles import finders
from django.test import Client

from config.releases import VERSION, hashes_of, list_name, listing, made
from surveys.views import releases, scripts
from surveys.views.releases import made_files

SITE = "http://localhost"
LIST, SIGNATURE = "/static/own.json", "/static/own.json.minisig"


@contextmanager
def as_in_production(monkeypatch):
    """Files are served as they are stored, and this source is the release that it says."""
    caches = (scripts._cached_scripts, releases._cached_release)
    with monkeypatch.context() as patch:
        patch.setattr(scripts, "_source", lambda name: made([name])[name])
        for cache in caches:
            cache.cache_clear()
        patch.setattr(releases, "published", lambda: json.loads(own_list())["files"])
        yield
    for cache in caches:
        cache.cache_clear()


def own_list(version: str = VERSION, **changes: str) -> bytes:
    """The list that this source makes."""
    return listing(hashes_of(made_files()) | changes, version)


@dataclass
class Site:
    """`changes`: what alters the answers to some paths; `signature`: of the list, and beside it."""

    listed: bytes = b""
    signature: str = ""
    changes: dict[str, Callable[[bytes], bytes]] = field(default_factory=dict)
    headers: dict[str, str | None] = field(default_factory=dict)
    page: str = ""

    def get(self, url, kind="empty"):
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        answer = self._answer(url, parts.path, path)
        change = next((each for end, each in self.changes.items() if path.endswith(end)), None)
        content = change(answer.content) if change else answer.content
        pairs = answer.headers
        if parts.path == self.page:
            own = {name: value for name, value in self.headers.items() if value is not None}
            pairs = (*((n, v) for n, v in pairs if n not in self.headers), *own.items())
        return replace(answer, content=content, headers=pairs)

    def _answer(self, url, name, path):
        if name == LIST:
            return Fetched(url, 200, (), self.listed)
        if name == SIGNATURE:
            return Fetched(url, 200, (), self.signature.encode())
        if name.startswith("/static/"):
            static = name.removeprefix("/static/")
            is_list = static.startswith(list_name().split("/")[0])
            content = _read(static) if is_list else made([static])[static]
            return Fetched(url, 200, (), content)
        response = Client().get(path)
        pairs = tuple((key.lower(), value) for key, value in response.headers.items())
        content = response.content
        if name == "/check/":
            content = self._naming_own(content)
        return Fetched(url, response.status_code, pairs, content)

    def _naming_own(self, page):
        if not self.listed:
            return page
        link = f'<a id="release-list" href="{LIST}"></a>'
        if self.signature:
            link += f'<a id="release-signature" href="{SIGNATURE}"></a>'
        return page.replace(b"release-list", b"x").replace(b"</main>", link.encode() + b"</main>")


def _read(name):
    with open(finders.find(name), "rb") as file:
        return file.read()
