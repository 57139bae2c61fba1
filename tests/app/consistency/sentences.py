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
# Ends so near to nobody or everybody that a crowd in which they are somebody says too much.
END = r"((?:fewer than 1|more than [\d,]+)|[\d,]+)"
FITS = rf"anything from {END} to {END} fits the data"
CROWDS = (100, 1_000, 10_000, 100_000, 1_000_000)
# Rounding of the last of sixteen digits.
NOTHING = 1e-9


def about(known: Mapping[Key, Quantity], name: str, sentence: str) -> Quantity | None:
    """Return what a sentence on a question is about; None where there is nothing to be said."""
    if ("score", name) in known and re.search(r"\bmean\b", sentence):
        return known["score", name]
    label = re.search("“(.*?)”", sentence)
    ranks = [quantity for key, quantity in known.items() if key[:2] == ("mean rank", name)]
    if ranks:
        return known["mean rank", name, label[1]] if label else min(ranks, key=_first_of_all)
    if ("number", name, "0") in known:
        return known["number", name, "0"]
    if ("network", name, "density") in known:
        return known["network", name, "density"]
    label = re.search("“(.*?)”", sentence)
    part = "asked" if sentence.startswith("Of those whom it is for") else "share"
    return known[part, name, label[1]] if label else None


def _first_of_all(of: Quantity) -> float:
    return float("inf") if of.value is None or of.is_hidden else of.value


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
    values = [_value_of(text) for text in match.groups()]
    yield from check(sentence, quantity, *values)


def _value_of(text: str) -> float:
    """A number; of words for an end, one between it and nobody or everybody."""
    number = number_in(text.removeprefix("fewer than ").removeprefix("more than ")).value
    beyond = {"fewer": -0.5, "more": 0.5}
    return number + beyond.get(text.partition(" ")[0], 0)


def _about(_sentence: str, of: Quantity, share: float, crowd: float, low: float, high: float):
    first, last = (min(max(end, 0.0), 1.0) for end in of.interval)
    inside = min(max(of.value, first), last)
    yield from _rounded(crowd, (share, inside), (low, first), (high, last))
    few = (low < 1 and first > 0.05 * (last - first)) or (
        high > crowd - 1 and 1 - last > 0.05 * (last - first)
    )
    if few:
        yield "an end that is not near"
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
    if abs(percent - 100 * of.value) > 0.05 + NOTHING or not (of.fixed or of.exact):
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
    if not (of.interval[1] < of.possible[0] or of.interval[0] > of.possible[1]):
        yield "something explains the reports"


def _counted(_sentence: str, of: Quantity, mean: float, *_range: float):
    if abs(mean - of.value) > 0.005 + NOTHING or of.interval[0] != of.interval[1] or not of.exact:
        yield f"{mean} is not {of.value}"


def _not_found(_sentence: str, _of: None):
    yield from ()


def _label(_sentence: str, of: Quantity):
    if None not in of.interval:
        yield "there is an interval"


Check = Callable[..., Iterator[str]]
FORMS: Mapping[str, Check] = {
    rf"bout {SHARE_OF} (?:answered|ticked|pairs are tied).*{FITS}": _about,
    rf"given by about {SHARE_OF}; {FITS}": _about,
    rf"given by at most {SHARE_OF}\.$": _at_most,
    rf"t most {SHARE_OF} .*; (?:nobody|none) at all fits the data, too": _at_most,
    rf"t least {SHARE_OF}.*; (?:everybody|[\\d,]+ of [\\d,]+) fits the data, too": _at_least,
    rf"etween {COUNT} and {COUNT} of {COUNT} answered .*; the data say no more": _between,
    rf"^{VALUE}[ \u00a0]% answered .*(?:declared margin says|was asked directly)\.$": _exact,
    rf"mean is about {VALUE}.*; anything from {VALUE} to {VALUE}": _mean,
    rf"mean score is about {VALUE} on the scale from {VALUE} to {VALUE}; "
    rf"anything from {VALUE} to {VALUE} fits": _mean,
    rf"has the best estimated mean rank, about {VALUE} of {COUNT}; "
    rf"anything from {VALUE} to {VALUE} fits the data": _mean,
    r"^Too few (?:answers|members|people)": _nothing,
    rf"^The mean (?:score )?is {VALUE}.*: everybody whom this is about": _counted,
    r"do not fit the device": _impossible,
    r"^(?:No text of the list was found|There is no list of texts)": _not_found,
    r"^Found most often: “[^”]*”\.$": _label,
}


# --- tables -------------------------------------------------------------------------------------

IN = "in “([^”]*)”"
TWO_SHARES = re.compile(f"^“(.*?)”: about {COUNT} of 100 {IN} and about {COUNT} {IN}\\.$")
DIFFERENCE = re.compile(f"^That is {COUNT} points more; anything from {COUNT} to {COUNT} fits")
WEIGHTED = re.compile(
    rf"^After weighting, “(.*?)”: {COUNT} of 100 {IN} \({COUNT}.….{COUNT}\), {COUNT} {IN} "
    rf"\({COUNT}.….{COUNT}\); p"
)
UP_TO = re.compile(f"No difference .* could be shown .*; differences of up to {COUNT} points")
# What quotes no share.
PLAIN = re.compile(
    r"^(?:No difference between the groups could be shown \(p|The two answers go together \(p|"
    r"Too few (?:answers|people))"
)


def table_untruths(
    sentences: tuple[str, ...], known: Mapping[Key, Quantity], name: str
) -> Iterator[str]:
    """Yield what the sentences on a table say that its numbers do not."""
    differences = [each for key, each in known.items() if key[:2] == ("difference", name)]
    match (TWO_SHARES.match(sentences[0]), WEIGHTED.match(sentences[0]), UP_TO.match(sentences[0])):
        case (shares, None, None) if shares:
            yield from _two_shares(shares, DIFFERENCE.match(sentences[1]), known, name, differences)
        case (None, shares, None) if shares:
            label, more, first, *ends, fewer, second, low, high = shares.groups()
            for group, values in ((first, (more, *ends)), (second, (fewer, low, high))):
                of = known["within", name, group, label]
                for text, share in zip(values, (of.value, *of.interval), strict=True):
                    yield from _hundredth(text, share)
        case (None, None, most) if most:
            ends = [abs(end) for each in differences for end in each.interval if end is not None]
            if float(most[1]) > 100 or not any(
                0 <= float(most[1]) - 100 * min(end, 1) < 1 + NOTHING for end in ends
            ):
                yield f"up to {most[1]} is none of {ends}"
        case _:
            if not PLAIN.match(sentences[0]):
                yield "of no form"


def _two_shares(shares, difference, known, name, differences):
    label, more, first, fewer, second = shares.groups()
    yield from _hundredth(more, known["within", name, first, label].value)
    yield from _hundredth(fewer, known["within", name, second, label].value)
    points, low, high = (float(text) for text in difference.groups())
    ends = [sorted(map(abs, each.interval)) for each in differences if None not in each.interval]
    if not any(
        abs(low - 100 * min(a, 1)) <= 0.5 + NOTHING and abs(high - 100 * min(b, 1)) <= 0.5 + NOTHING
        for a, b in ends
    ):
        yield f"{low} to {high} is none of {ends}"
    if not low <= points <= high or (points != float(more) - float(fewer) and low < points < high):
        yield f"{points} is not {more} less {fewer}"


def _hundredth(text, share):
    if abs(float(text) - 100 * min(max(share, 0), 1)) > 0.5 + NOTHING:
        yield f"{text} is not {share}"
