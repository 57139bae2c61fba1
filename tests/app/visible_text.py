"""The texts of a page or script for people, as opposed to those for programs."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from babel.messages.jslexer import tokenize
from django.template.base import Lexer, TokenType

SPOKEN = {"aria-label", "alt", "title", "placeholder", "label"}
MUTE = {"script", "style", "pre", "code"}
# A literal that begins like a sentence: a capitalised word, not a-hyphenated-Name.
SENTENCE = re.compile(r"[A-Z“„][a-z]+(?![\w-])")
# Capitalised, and read by programs only: keys of the keyboard, form values, kinds of errors.
FOR_PROGRAMS = re.compile(r"(Home|End|Enter|Escape|True|False|\w+Error)$")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.mute = 0

    def handle_starttag(self, tag, attrs):
        self.mute += tag in MUTE
        for name, value in attrs:
            # A program's value is one word; a text in a data attribute is not.
            if value and (name in SPOKEN or (name.startswith("data-") and " " in value.strip())):
                self.found.append(value)

    def handle_endtag(self, tag):
        self.mute -= tag in MUTE

    def handle_data(self, data):
        if not self.mute:
            self.found.append(data)


def visible_text(html: str) -> str:
    """Texts and spoken attributes of a page, one space between words."""
    reader = _Reader()
    reader.feed(html)
    return " ".join(" ".join(reader.found).split())


def own_text(template: str) -> str:
    """The visible text of a template's source that passes through no tag and no variable."""
    pieces, end = [], ""
    for token in Lexer(template).tokenize():
        if token.token_type == TokenType.BLOCK:
            words = token.contents.split()
            end = "" if words[0] == end else end or _end(words)
        elif token.token_type == TokenType.TEXT and not end:
            pieces.append(token.contents)
    return visible_text("".join(pieces))


def _end(tag: list[str]) -> str:
    """The tag that ends a part without text of its own: a translated one, or a class attribute."""
    if tag[0] == "block" and tag[1].endswith("class"):
        return "endblock"
    return "endblocktranslate" if tag[0] == "blocktranslate" else ""


def sentences(script: str) -> Iterator[str]:
    """Literals of a script that begin like a sentence; its own errors are for the console."""
    tokens = [token for token in tokenize(script) if token.type != "linecomment"]
    for before, bracket, token in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type not in ("string", "template_string"):
            continue
        text = token.value[1:-1]
        for_console = bracket.value == "(" and before.value.endswith("Error")
        if SENTENCE.match(text) and not FOR_PROGRAMS.match(text) and not for_console:
            yield text
