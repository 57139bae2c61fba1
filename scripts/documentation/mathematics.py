"""Formulas as docs/methods/ writes them, such as `sum_u P[u,v] lam_u/n`, as MathML.

The notation is that of docs/methods/notation.md: plain characters, which people can read as they
are, and which a program can read as well. `_` and `^` begin an index and an exponent, `_hat` an
estimate, `'` transposes, Greek letters have their names. Browsers draw MathML by themselves.

A quotient is written with a bar where the source leaves no doubt what is above and below: both are
written without a space, or the quotient fills its side of a sum or an equation (`quotients.py`).
"""

from dataclasses import dataclass, field
from html import escape

from scripts.documentation.notation import (
    CLOSING,
    FUNCTIONS,
    GREEK,
    KNOWN,
    LARGE,
    LIMITS,
    OPERATORS,
    PROGRAM,
    SHORT,
    SIGNIFICANT,
    SIGNS,
    TALL,
    TOKEN,
)
from scripts.documentation.quotients import Item, set_row


class NoFormulaError(ValueError):
    """The text is no formula: it has a word or a sign that the notation has not."""


def mathml(source: str, *, display: bool = False) -> str:
    """The formula as one `<math>` element.

    Raises
    ------
    NoFormulaError
        In the middle of a sentence only what is certainly mathematics counts; a display has words.
    """
    reader = _Reader(source, display)
    row = reader.row("")
    if reader.at < len(reader.tokens):
        raise NoFormulaError(source)
    style = ' display="block"' if display else ""
    return f'<math alttext="{escape(source)}"{style}><mrow>{row}</mrow></math>'


@dataclass
class _Reader:
    source: str
    display: bool
    at: int = 0
    words: bool = False
    indices: int = 0
    tokens: list[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.words = self.display or bool(SIGNS.search(self.source))
        code = KNOWN.sub("x", self.source)
        if not self.display and PROGRAM.search(code):
            raise NoFormulaError(self.source)
        self.tokens, end = [], 0
        for match in TOKEN.finditer(self.source):
            if match.start() != end:
                raise NoFormulaError(self.source)
            self.tokens.append((match.lastgroup or "", match.group()))
            end = match.end()
        if end != len(self.source) or not self.tokens:
            raise NoFormulaError(self.source)

    # --- tokens ---------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        position = self.at + ahead
        return self.tokens[position] if position < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    # --- rows -----------------------------------------------------------------------------------

    def row(self, closing: str) -> str:
        """Everything up to the bracket that closes, which is left where it is."""
        items: list[Item] = []
        spaced = False
        while (token := self.peek())[0] != "end" and token[1] not in (")", "]", "}"):
            if token[0] == "space":
                self.take()
                spaced = True
                if self.display and len(token[1]) > 2:
                    items.append(Item('<mspace width="2em"/>', "space"))
                continue
            items.append(self._item(spaced, items))
            spaced = False
        if closing and self.peek()[1] != closing:
            raise NoFormulaError(self.source)
        return set_row(items, self.display)

    def _item(self, spaced: bool, before: list[Item]) -> Item:
        kind, text = self.peek()
        if kind == "sign" and text == "/":
            self.take()
            return Item("<mo>/</mo>", "slash", spaced or self.peek()[0] == "space")
        if text == ".":
            self.take()
            ends = self.peek()[0] in ("space", "end") and not spaced
            return Item(f"<mo>{'.' if ends else '⋅'}</mo>", "operator", spaced, sign=".")
        if self._is_tensor_product(spaced):
            self.at += 3
            return Item("<mo>⊗</mo>", "operator", spaced, sign="⊗")
        if kind == "sign" and text in OPERATORS and text not in "([{":
            self.take()
            sign = OPERATORS[text]
            fence = ' stretchy="false"' if sign == "|" else ""
            first = not before or before[-1].kind in ("operator", "space")
            form = ' form="prefix"' if sign in "−+±" and first else ""
            return Item(f"<mo{fence}{form}>{escape(sign)}</mo>", "operator", spaced, sign=sign)
        item = self._atom()
        item.spaced = spaced
        return self._scripts(item)

    def _is_tensor_product(self, spaced: bool) -> bool:
        signs = [self.peek(ahead)[1] for ahead in range(3)]
        return spaced and signs == ["(", "x", ")"] and self.peek(3)[0] == "space"

    # --- atoms and what hangs on them -----------------------------------------------------------

    def _atom(self) -> Item:
        kind, text = self.take()
        if kind == "number":
            return Item(f"<mn>{text}</mn>")
        if kind == "word":
            return self._word(text)
        if text in CLOSING:
            return self._group(text)
        raise NoFormulaError(self.source)

    def _group(self, opening: str) -> Item:
        inner = self.row(CLOSING[opening])
        self.take()
        still = "" if TALL.search(inner) else ' stretchy="false"'
        start, end = (f"<mo{still}>{escape(sign)}</mo>" for sign in (opening, CLOSING[opening]))
        kind = "group" if opening == "(" else "factor"
        return Item(f"<mrow>{start}{inner}{end}</mrow>", kind, inner=f"<mrow>{inner}</mrow>")

    def _word(self, text: str) -> Item:
        if text in LARGE and self.peek(1)[1] != "of":
            return Item(f"<mo>{LARGE[text]}</mo>", "large")
        if text == "sqrt" and self.peek()[1] == "(":
            self.take()
            return Item(f"<msqrt>{self._group('(').inner}</msqrt>")
        if text in FUNCTIONS:
            return self._function(text)
        if text == "in" and self.indices:
            return Item("<mo>∈</mo>", "operator", sign="∈")
        if text == "a" and self.words and self._is_article():
            return Item("<mtext>a</mtext>", "text")
        if text in GREEK or len(text) == 1:
            return Item(self._numbered(f"<mi>{GREEK.get(text, text)}</mi>"))
        if len(text) == 2 and text not in SHORT:
            return Item(_letters(text))
        if self.words:
            return Item(f"<mtext>{text}</mtext>", "text")
        raise NoFormulaError(self.source)

    def _is_article(self) -> bool:
        before, follows = self.tokens[max(0, self.at - 3)], self.peek(1)
        spaced = self.peek()[0] == "space"
        return spaced and all(
            token[0] == "word" and len(token[1]) > 1 and token[1] not in SIGNIFICANT
            for token in (before, follows)
        )

    def _function(self, text: str) -> Item:
        name = f"<mi>{text}</mi>"
        if text == "log" and self.peek() == ("number", "2"):
            name = self._numbered(name)
        return Item(name, "limits" if text in LIMITS else "function")

    def _numbered(self, letter: str) -> str:
        """The letter with the digits behind it, such as `p00`, as its index."""
        if self.peek()[0] == "number" and self.peek()[1].isdigit():
            return f"<msub>{letter}<mn>{self.take()[1]}</mn></msub>"
        return letter

    def _scripts(self, item: Item) -> Item:
        below = above = ""
        if (self.peek()[1], self.peek(1)[1]) == ("_", "hat"):
            self.at += 2
            item.markup = f'<mover accent="true">{item.markup}<mo>^</mo></mover>'
        while True:
            sign = self.peek()[1]
            if sign == "_" and not below:
                self.take()
                below = self._script(index=True)
            elif sign in ("^", "**") and not above:
                self.take()
                above = self._script(index=False)
            elif sign == "'":
                # Fonts draw it where it belongs: as an exponent it would be raised twice.
                self.take()
                item = self._with_scripts(item, below, above)
                prime = '<mo lspace="0" rspace="0">′</mo>'
                item.markup, item.kind = f"<mrow>{item.markup}{prime}</mrow>", "factor"
                below = above = ""
            elif sign == "*" and not above and self._is_star():
                self.take()
                above = "<mo>*</mo>"
            else:
                return self._with_scripts(item, below, above)

    def _is_star(self) -> bool:
        kind, text = self.peek(1)
        return (kind in ("space", "end") and self.peek(2)[1] != "*") or text in (")", ",", "]")

    def _with_scripts(self, item: Item, below: str, above: str) -> Item:
        under = item.kind in ("large", "limits") and self.display and "∫" not in item.markup
        names = ("munder", "mover", "munderover") if under else ("msub", "msup", "msubsup")
        if below or above:
            name = names[2] if below and above else names[0] if below else names[1]
            item.markup = f"<{name}>{item.markup}{below}{above}</{name}>"
            if item.kind == "group":
                item.kind = "factor"
        return item

    def _script(self, *, index: bool) -> str:
        kind, text = self.peek()
        if text in ("{", "("):
            self.take()
            self.indices += 1
            inner = self._group(text).inner
            self.indices -= 1
            return inner
        if text in ("-", "+", "*"):
            self.take()
            sign = f"<mo>{OPERATORS[text]}</mo>"
            if self.peek()[0] not in ("word", "number"):
                return sign
            return f"<mrow>{sign}{self._script(index=index)}</mrow>"
        if kind == "word" and index:
            return self._index()
        return self._power()

    def _power(self) -> str:
        """An exponent: one sign or number, with an index of its own."""
        item = self._atom()
        if self.peek()[1] == "_" and self.peek(1)[1] != "hat":
            self.take()
            return f"<msub>{item.markup}{self._script(index=True)}</msub>"
        return item.markup

    def _index(self) -> str:
        text = self.take()[1]
        letters = text if text in GREEK else ""
        if not letters and (len(text) <= 2 or set(text) <= set("ijkl")):
            parts = _letters(text)
        else:
            parts = f"<mi>{GREEK[text]}</mi>" if letters else f"<mtext>{text}</mtext>"
        if self.peek()[0] == "number":
            parts += f"<mn>{self.take()[1]}</mn>"
        # A margin: `pi_i+` is the sum over the second index.
        follows = self.peek(1)
        if self.peek()[1] == "+" and (follows[0] in ("space", "end") or follows[1] in ")],^"):
            self.take()
            parts += "<mo>+</mo>"
        return f"<mrow>{parts}</mrow>"


def _letters(text: str) -> str:
    return "".join(f"<mi>{letter}</mi>" for letter in text)
