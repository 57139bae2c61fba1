"""What a respondent's page is made of, and whatever in it could run or load something else."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from candor.verification.sources import origin_of

# Elements that a page of Candor has none of: they load, frame, restyle or redirect.
FOREIGN = frozenset({"applet", "base", "embed", "fencedframe", "frame", "frameset", "iframe"})
FOREIGN |= {"marquee", "object", "param", "portal", "style"}
# Those that are counted in the text as well, so that none hides from this reading of it.
COUNTED = ("script", "link", "meta", "form", *sorted(FOREIGN))
LINKS = frozenset({"icon", "stylesheet", "modulepreload", ""})
# Attributes with an address that a browser loads by itself.
LOADED = frozenset({"src", "srcset", "poster", "data", "background", "xlink:href", "imagesrcset"})
# Those that somebody has to follow.
FOLLOWED = frozenset({"href", "action", "formaction", "ping"})
# Of these the address in `href` is loaded too.
PICTURED = frozenset({"image", "use", "feimage"})
VOID = frozenset(
    ["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)


@dataclass(slots=True)
class Reference:
    """A script or a style sheet that the page names, with its hash where it names one."""

    url: str
    integrity: str
    group: str = ""


@dataclass(slots=True)
class Page:
    """`problems`: by what each is about. `data`: the attributes of the element that is the form."""

    url: str
    scripts: list[Reference] = field(default_factory=list)
    styles: list[Reference] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    generator: str = ""
    check: str = ""
    listed: str = ""
    signature: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def same_site(self, address: str) -> bool:
        return origin_of(urljoin(self.url, address)) == origin_of(self.url)


def read_page(url: str, content: bytes) -> Page:
    reader = _Reader(url)
    text = content.decode("utf-8", "replace")
    reader.feed(text)
    reader.close()
    reader.page.text = " ".join("".join(reader.shown).split())
    if "\x00" in text or "�" in text:
        reader.complain("page", "The page has bytes that are no text, which browsers may mend.")
    for name in COUNTED:
        there = len(re.findall(rf"<{name}(?![a-z0-9-])", text, re.IGNORECASE))
        if there != reader.counts.get(name, 0):
            reader.complain(
                "page", f"“<{name}” stands {there} times in the page, and not each is an element."
            )
    return reader.page


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page(url)
        self.counts: dict[str, int] = {}
        self.shown: list[str] = []
        # The ids of the elements that are open, each with its tag.
        self._open: list[tuple[str, str]] = []
        self._raw: str | None = None

    def complain(self, about: str, words: str) -> None:
        self.page.problems.append((about, words))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag not in VOID:
            self._open.append((tag, given.get("id", "")))
        if tag in FOREIGN:
            self.complain("page", f"The page has an element <{tag}>, which no page of Candor has.")
        self._attributes(tag, given)
        match tag:
            case "script":
                self._script(given)
            case "link":
                self._link(given)
            case "meta":
                self._meta(given)
            case _:
                self._places(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._end_of_script()
        tags = [own for own, _ in self._open]
        if tag in tags:
            del self._open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._raw is not None:
            self._raw += data
            return
        self.shown.append(data)
        for _, name in self._open:
            if name:
                self.page.texts[name] = self.page.texts.get(name, "") + data

    def _attributes(self, tag: str, given: dict[str, str]) -> None:
        for name, value in given.items():
            address = re.sub(r"[\x00-\x20]", "", value).lower()
            scheme = urlsplit(address).scheme if ":" in address else ""
            if name.startswith("on"):
                self.complain("script", f"<{tag} {name}> holds a script: {value[:80]!r}.")
            elif name == "style":
                self.complain("style", f"<{tag} style> changes what is seen: {value[:80]!r}.")
            elif name == "srcdoc":
                self.complain("page", f"<{tag} srcdoc> holds a page of its own.")
            elif name in LOADED | FOLLOWED and scheme in ("javascript", "vbscript"):
                self.complain("script", f"<{tag} {name}> holds a script: {value[:80]!r}.")
            elif (
                name in LOADED
                or name in ("action", "formaction", "ping")
                or (name == "href" and tag in PICTURED)
            ):
                loads_picture = tag == "img" and address.startswith("data:image/")
                if not loads_picture and not self.page.same_site(value):
                    self.complain("elsewhere", f"<{tag} {name}> leads to {value[:120]}.")

    def _script(self, given: dict[str, str]) -> None:
        kind = given.get("type", "").strip().lower()
        if "src" in given:
            address = urljoin(self.page.url, given["src"])
            self.page.scripts.append(Reference(address, given.get("integrity", "")))
            self._raw = ""
        elif given.get("id") == "parameters" and kind == "application/json":
            self.page.parameters.append("")
            self._raw = ""
        else:
            self._raw = ""
            self.complain("script", "The page has a script in itself, which is in no list.")

    def _end_of_script(self) -> None:
        inside = self._open and self._open[-1] == ("script", "parameters")
        if inside and self._raw is not None and self.page.parameters:
            self.page.parameters[-1] = self._raw
        self._raw = None

    def _link(self, given: dict[str, str]) -> None:
        words = set(given.get("rel", "").lower().split()) or {""}
        address = urljoin(self.page.url, given.get("href", ""))
        if not words <= LINKS:
            self.complain("page", f"<link rel={given['rel']!r}> is on no page of Candor.")
        if "stylesheet" in words:
            self.page.styles.append(Reference(address, given.get("integrity", "")))
        elif "modulepreload" in words or "data-group" in given:
            group = given.get("data-group", "")
            self.page.scripts.append(Reference(address, given.get("integrity", ""), group))
        if not self.page.same_site(address):
            self.complain("elsewhere", f"<link> loads {address[:120]}.")

    def _meta(self, given: dict[str, str]) -> None:
        if "http-equiv" in given:
            self.complain("page", f"<meta http-equiv={given['http-equiv']!r}> changes the page.")
        if given.get("name") == "generator":
            self.page.generator = given.get("content", "")

    def _places(self, given: dict[str, Any]) -> None:
        """The form's own addresses, and those of the page for checking."""
        if given.get("id") == "respond":
            self.page.data = given
        elif given.get("id") == "check-link":
            self.page.check = given.get("href", "")
        elif given.get("id") == "release-list":
            self.page.listed = given.get("href", "")
        elif given.get("id") == "release-signature":
            self.page.signature = given.get("href", "")
