"""The frozen parameters of a page: their digest, the epsilon of each device, and the budget."""

import json
import re
from decimal import Decimal
from typing import Any
from urllib.parse import urljoin

from candor.errors import CandorError
from candor.respondent.canonical import canonical, digest_of
from candor.respondent.document import check
from candor.respondent.languages import in_language
from candor.respondent.values import Json, Untrusted
from candor.respondent.waves import check_history
from candor.verification.findings import Findings
from candor.verification.losses import (
    Loss,
    declared_total,
    guesses_of,
    losses_of,
    rounded_up,
    total_of,
)
from candor.verification.pages import Page
from candor.verification.sources import Source

SHORT = slice(len("sha256:"), len("sha256:") + 12)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Of a document with an odd form: any of these says so.
_ODD = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)


def check_parameters(page: Page, findings: Findings) -> Json | None:
    """The parameters that the page asks with; None where they are none."""
    document = _only(page.parameters)
    if document is None:
        findings.wrong("parameters", "The page has no parameters, or more than one set of them.")
        return None
    try:
        check(document)
        for language in document.get("translations", {}):
            in_language(document, language)
    except Untrusted as error:
        findings.wrong("parameters", f"The parameters break a rule of the protocol: {error}.")
        return document if _is_readable(document) else None
    except _ODD as error:
        findings.wrong("parameters", f"The parameters have no form of the protocol: {error!r}.")
        return None
    findings.right(
        "digest",
        f"The digest {document['digest']} is that of the parameters in the page, computed anew.",
    )
    return document


def check_shown(page: Page, document: Json, findings: Findings) -> None:
    """What the page shows of its parameters, against what they are."""
    own = {document["digest"]}
    own |= {each["digest"] for each in document.get("translations", {}).values()}
    shown = set(_DIGEST.findall(page.text))
    holds = document["digest"] in shown and shown <= own and document["digest"][SHORT] in page.text
    findings.expect(
        holds,
        "shown digest",
        "The page shows that digest.",
        f"The page shows another digest than that of its parameters: {', '.join(shown) or 'none'}.",
    )
    _check_budget(page, document, findings)
    _check_guesses(page, document, findings)


def check_served(page: Page, document: Json, source: Source, findings: Findings) -> None:
    """The same parameters as programs get them, and those of all waves before."""
    try:
        served = _fetched(source, urljoin(page.url, "parameters.json"))
        earlier = [
            _fetched(source, urljoin(page.url, f"waves/{wave}/parameters.json"))
            for wave in range(1, document["wave"])
        ]
        same = _covered(served) == _covered(document)
    except (CandorError, Untrusted) as error:
        findings.unknown("parameters", f"What programs are told could not be compared: {error}.")
        return
    findings.expect(
        same,
        "parameters",
        "Programs are told the same parameters as the page.",
        "Programs are told other parameters than the page.",
    )
    if earlier:
        _check_waves([*earlier, document], findings)


def check_losses(document: Json, findings: Findings) -> list[Loss]:
    """Each device's epsilon from its integers, against what it declares, and their sum."""
    losses = losses_of(document)
    for each in losses:
        _say_loss(each, findings)
    direct = [each["id"] for each in document["questions"] if not each["randomized"]]
    if direct:
        findings.right(
            "direct",
            f"Sent as they are, and marked so: the answers to {', '.join(direct)}.",
        )
    total, most = declared_total(document), Decimal(document["epsilon"])
    if losses:
        findings.expect(
            total <= most and total_of(losses) <= most,
            "budget",
            f"All scrambled answers of one person together: at most epsilon"
            f" {rounded_up(total_of(losses))}, declared {_plain(total)} of {_plain(most)}.",
            f"All scrambled answers of one person together reveal epsilon"
            f" {rounded_up(total_of(losses))}, which is more than the {_plain(most)} declared.",
        )
    return losses


def _say_loss(each: Loss, findings: Findings) -> None:
    where = "" if each.stratum == "page" else f" ({each.stratum})"
    name = f"{', '.join(each.questions)}, device {each.device}{where}"
    for number, (declared, _ratio) in enumerate(each.each[:-1], start=1):
        findings.right(
            "epsilon", f"{name}, version {number} of {len(each.each)}: declared {_plain(declared)}."
        )
    if each.epsilon is None:
        but = f", but for a chance of {_plain(each.delta)} at most" if each.delta else ""
        findings.expect(
            each.delta is not None,
            "epsilon",
            f"{name}: one report can rule an answer out{but}; declared epsilon"
            f" {_plain(each.declared)}.",
            f"{name}: one report rules an answer out, and no delta is declared.",
        )
        return
    times = rounded_up(Decimal(each.ratio.numerator) / each.ratio.denominator, 3)  # type: ignore[union-attr]
    findings.expect(
        each.epsilon <= each.declared or each.delta is not None,
        "epsilon",
        f"{name}: a report changes the odds between two answers at most {times} times, so epsilon"
        f" {rounded_up(each.epsilon)}; declared {_plain(each.declared)}.",
        f"{name}: a report changes the odds between two answers {times} times, so epsilon"
        f" {rounded_up(each.epsilon)}, more than the declared {_plain(each.declared)}.",
    )


def _check_budget(page: Page, document: Json, findings: Findings) -> None:
    total = declared_total(document)
    if not total:
        return
    words = page.texts.get("budget", "").removeprefix(page.texts.get("strength", ""))
    # With a point or a comma before the decimals. Of a roster more sentences follow.
    said = [Decimal(each.replace(",", ".")) for each in _NUMBER.findall(words)[:2]]
    due = [total.quantize(Decimal("0.0001")), Decimal(document["epsilon"])]
    findings.expect(
        said == due,
        "words",
        f"The page says that {_plain(due[0])} of a budget of {_plain(due[1])} are used, as it is.",
        f"The page says in words {' '.join(words.split())!r}; computed: {_plain(due[0])} of"
        f" {_plain(due[1])}.",
    )


def _check_guesses(page: Page, document: Json, findings: Findings) -> None:
    due, words = guesses_of(document), page.texts.get("strength", "")
    if due is None:
        if words.strip():
            findings.note("words", f"Read for yourself what the page says: {words.strip()!r}.")
        return
    # Whole numbers, in which a point or a comma stands between thousands.
    said = [int(re.sub(r"[.,]", "", each)) for each in _NUMBER.findall(words)][: len(due)]
    findings.expect(
        said == due,
        "words",
        f"The page says how often a guess is right at most, as computed: {due[2]} in {due[3]}"
        + (f" after one answer, {due[6]} in {due[7]} after all." if len(due) > 4 else "."),
        f"The page says {words.strip()!r}; computed: {due}.",
    )


def _check_waves(documents: list[Json], findings: Findings) -> None:
    try:
        for each in documents:
            check(each)
        check_history(documents)
    except (Untrusted, *_ODD) as error:
        findings.wrong("waves", f"The waves do not fit each other: {error}.")
        return
    findings.right(
        "waves",
        f"Each of the {len(documents)} waves names the digest of the one before, and earlier"
        " answers are these, made coarser: together they reveal what the last wave reveals.",
    )


def _fetched(source: Source, url: str) -> Json:
    answer = source.get(url)
    if answer.status != 200:
        raise CandorError(f"{url} answers {answer.status}")
    document = _only([answer.content.decode("utf-8", "replace")])
    if document is None:
        raise CandorError(f"{url} is no JSON object")
    return document


def _covered(document: Json) -> str:
    return canonical({key: document[key] for key in document if key != "translations"})


def _only(texts: list[str]) -> Json | None:
    try:
        documents: list[Any] = [json.loads(text, object_pairs_hook=_once) for text in texts]
    except (ValueError, RecursionError):
        return None
    return documents[0] if len(documents) == 1 and isinstance(documents[0], dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice, two programs may read two values."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key comes twice")
    return read


def _is_readable(document: Json) -> bool:
    """Whether more can be said of parameters that break a rule."""
    try:
        digest_of(document)
        losses_of(document)
        declared_total(document)
    except (Untrusted, *_ODD):
        return False
    return True


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
