"""A part of Sphinx: what pages lack, once they are written, for readers who do not see them.

The theme and the writer of HTML leave roles that their elements may not have, heads without words,
and parts of the page without a name. Each is one string, and what was put right does not match.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from sphinx.application import Sphinx

REPLACED = (
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    (r'<aside class="toc-drawer([^"]*)">', r'<aside class="toc-drawer\1" aria-label="This page">'),
    (r'<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    # A list of one source, whose entries are no items of a list to a browser.
    (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
    (r' role="doc-biblioentry"', ""),
    # A head that is nothing but a formula has no words: its source is read instead.
    (r'(<th class="head[^"]*"><p>)<math (alttext="([^"]*)">(?:(?!</math>).)*</math></p></th>)',
     r'\1<span class="spoken">\3</span><math aria-hidden="true" \2'),
    # A table whose first row is no head.
    (r'<th class="head[^"]*"><p></p></th>', "<td></td>"),
)  # fmt: skip


def improve(text: str) -> str:
    for pattern, better in REPLACED:
        text = re.sub(pattern, better, text)
    return text


_PICTURE = re.compile(r'<img (alt="[^"]*") src="([^"]*\.webp)" />')


def _sized(page: Path) -> Callable[[re.Match[str]], str]:
    """With its size a picture has its place before it is there: no heading moves away meanwhile."""

    def replace(match: re.Match[str]) -> str:
        with Image.open(page.parent / match[2]) as picture:
            width, height = picture.size
        return f'<img {match[1]} src="{match[2]}" width="{width}" height="{height}" />'

    return replace


def finish(app: Sphinx, exception: Exception | None) -> None:
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        better = _PICTURE.sub(_sized(page), improve(text))
        if better != text:
            page.write_text(better, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
