"""Whether a sentence that can be quoted is true of the numbers that it is about, in English.

The sentences are taken apart by their forms; what they say is computed from the estimates anew.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from tests.app.consistency.pages import number_in
from tests.app.consistency.quantities import Key, Quantity

COUNT = r"([\d,]+)"
VALUE = r"(−?[\d,]+(?:\.\d+)?)"
SHARE_OF = rf"{COUNT} of {COUNT}"
FITS = rf"anything from {COUNT} to {COUNT} fits the data"
CROWDS = (100, 1_000, 10_000, 100_000, 1_000_000)
# Rounding of the last of sixteen digits.
NOTHING = 1e-9


def about(known: Mapping[Key, Quantity], name: str, sentence: str) -> Quantity | None:
    """Return what a sentence on a question is about; None where there is nothing to be said."""
    if "mean score" in sentence:
        return known["score", name]
    if ("number", name, "0") in known:
        return known["number", name, "0"]
    if ("network", name, "density") in known:
        return known["network", name, "density"]
    label = re.search("“(.*?)”", sentence)
    return known["share", name, label[1]] if label else None


def untruths(sentence: str, known: Mapping[Key, Quantity], name: str) -> Iterator[str]:
    """Yield what a sentence on a question says that its numbers do not."""
    quantity = about(known, name, sentence)
    found = [
        (match, check) for form, check in FORMS.items() if (match := re.search(form, sentence))
    ]
    if len(found) != 1:
        yield f"of {len(found)} forms"
        return
    match, check = found[0]
    values = [number_in(text).value for text in match.groups()]
    yield from check(sentence, quantity, *values)


def _about(_sentence: str, of: Quantity, share: float, crowd: float, low: float, high: float):
    first, last = (min(max(end, 0.0), 1.0) for end in of.interval)
    inside = min(max(of.value, first), last)
    yield from _rounded(crowd, (share, inside), (low, first), (high, last))
    if not 0 < low <= share <= high < crowd:
        yield "numbers that are not in their order"


def _at_most(_sentence: str, of: Quantity, most: float, crowd: float):
    yield from _rounded(crowd, (most, of.interval[1]))
    if of.interval[0] > 0 or not 0 < most < crowd:
        yield "not at most"


def _at_least(_sentence: str, of: Quantity, least: float, crowd: float):
    yield from _rounded(crowd, (least, of.interval[0]))
    if of.interval[1] < 1 or not 0 < least < crowd:
        yield "not at least"


def _between(_sentence: str, of: Quantity, low: float, high: float, crowd: float):
    yield from _rounded(crowd, (low, max(of.interval[0], 0)), (high, min(of.interval[1], 1)))
    if of.value is not None:
        yield "there is an estimate"


def _rounded(crowd: float, *pairs: tuple[float, float]) -> Iterator[str]:
    if crowd not in CROWDS:
        yield f"of {crowd}"
    for shown, share in pairs:
        if not 0 <= shown <= crowd or abs(shown - crowd * share) > 0.5 + NOTHING:
            yield f"{shown} of {crowd} is not {share}"


def _exact(_sentence: str, of: Quantity, percent: float):
    if abs(percent - 100 * of.value) > 0.05 + NOTHING or not (of.fixed or of.error == 0):
        yield f"{percent} % is not {of.value}"


def _mean(sentence: str, of: Quantity, *values: float):
    """About, then the ends of its range, where it is a score, and the ends of its interval."""
    mean, *_range, low, high = values
    digits = max(len(text.partition(".")[2]) for text in re.findall(VALUE, sentence))
    lowest, highest = of.possible
    for shown, value in ((mean, of.value), (low, of.interval[0]), (high, of.interval[1])):
        inside = min(max(value, lowest), highest)
        if abs(shown - inside) > 0.5 * 10.0**-digits + NOTHING:
            yield f"{shown} is not {inside}"
    if not low <= mean <= high:
        yield "a mean outside"
    if of.unit and sentence.count(of.unit) < 2:
        yield f"without {of.unit}"


def _nothing(_sentence: str, of: Quantity | None, *_values: float):
    if of is not None and not of.is_hidden:
        yield "there is something to say"


def _impossible(_sentence: str, of: Quantity):
    if not (of.interval[1] < 0 or of.interval[0] > 1):
        yield "some share explains the reports"


def _not_found(_sentence: str, _of: None):
    yield from ()


def _label(_sentence: str, of: Quantity):
    if None not in of.interval:
        yield "there is an interval"


Check = Callable[..., Iterator[str]]
FORMS: Mapping[str, Check] = {
    rf"bout {SHARE_OF} (?:answered|ticked|pairs are tied).*{FITS}": _about,
    rf"given by about {SHARE_OF}; {FITS}": _about,
    rf"t most {SHARE_OF} .*; nobody at all fits the data, too": _at_most,
    rf"t least {SHARE_OF} .*; everybody fits the data, too": _at_least,
    rf"etween {COUNT} and {COUNT} of {COUNT} answered .*; the data say no more": _between,
    rf"^{VALUE}[ \u00a0]% answered .*(?:declared margin says|was asked directly)\.$": _exact,
    rf"mean is about {VALUE}.*; anything from {VALUE} to {VALUE}": _mean,
    rf"mean score is about {VALUE} on the scale from {VALUE} to {VALUE}; "
    rf"anything from {VALUE} to {VALUE} fits": _mean,
    r"^Too few (?:answers|members|people)": _nothing,
    r"do not fit the device": _impossible,
    r"^(?:No text of the list was found|There is no list of texts)": _not_found,
    r"^Found most often: “[^”]*”\.$": _label,
}
