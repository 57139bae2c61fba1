"""Every sentence of a respondent's pages is short, plain and true, at every strength."""

import os
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from surveys.models import Launch
from tests.arms import arms_launch
from tests.browser.respondent import SCALE, address, survey
from tests.browser.sentences import (
    EPSILONS,
    FOLDER,
    KINDS,
    RARE,
    Notes,
    keep,
    sentences_of,
    walk,
    words_of,
)
from tests.rosters import RosterRow, launched_network, links_of
from tests.thorough import THOROUGH
from tests.tiers import TIERS
from tests.vectors.make_wire_vectors import columns_of
from tests.waves import CODED, coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

MOST_WORDS = 20
# What is sent is a letter, a card or a pattern; a code is what somebody comes back with. The other
# words are those that nobody should read of their own answer.
BANNED = {
    "en": r"!|(?<!return )\bcodes?\b|\b(lie|lies|lying|noise|perturb\w*|please note)\b",
    "de": r"!|\bCodes?\b|\bRückkehr-Code|\b(Lüge\w*|lügen|Rauschen|bitte beachten)\b",
}
ALL = bool(os.environ.get(FOLDER))
SHIFTS = ("Early", "Late")
ROWS = tuple(RosterRow(f"m{n}", f"Member {n}", SHIFTS[n % 2]) for n in range(1, 15))
FRIENDS = {
    "name": "friends",
    "kind": "roster_ties",
    "text": "Whom do you ask for advice?",
    "design": "tie_bits",
}
Arrival = tuple[Launch, str, str]


def asked(*questions: dict[str, Any], **values: Any) -> Callable[..., Arrival]:
    """A survey of these questions, at one epsilon each; a group has it in all."""

    def at(_client: Any, epsilon: str, language: str) -> Arrival:
        each = [
            {**one, "epsilon": share(one, questions, epsilon), "epsilon_reason": "Nobody minds."}
            for one in questions
        ]
        total = Decimal(epsilon) * len(questions)
        launch = survey(questions=each, budget=total, language=language, **values)
        return launch, "", ""

    return at


def share(one: dict[str, Any], questions: tuple[dict[str, Any], ...], epsilon: str) -> Any:
    if not one.get("randomized", True):
        return None
    if "group" in one:
        return Decimal(epsilon) / sum("group" in each for each in questions)
    return Decimal(epsilon)


def in_arms(_client: Any, epsilon: str, language: str) -> Arrival:
    question = {"name": "drug", "epsilon": Decimal(epsilon), "asked_directly": True}
    launch = arms_launch(slug="work", questions=[question], budget=8, language=language)
    return launch, "", ""


def by_personal_link(_client: Any, epsilon: str, language: str) -> Arrival:
    ties = {**FRIENDS, "epsilon": epsilon}
    launch = launched_network(ROWS, slug="work", questions=(ties,), budget=200, language=language)
    return launch, f"#{links_of(launch.survey)['m1']}", ""


def in_a_second_wave(client: Any, epsilon: str, language: str) -> Arrival:
    # A wave is raised to 4 at most without a reason of its own.
    epsilon = min(epsilon, "4", key=Decimal)
    question = {"name": "drug", "epsilon": Decimal(epsilon) / 2}
    launch = coded_launch(slug="work", questions=[question], budget=8, language=language)
    code = new_code()
    assert post(client, launch, code, {"drug": 1}).status_code == 201
    return next_wave(launch, drug=epsilon), "", code


SURVEYS: dict[str, Callable[..., Arrival]] = {
    "every kind": asked(*KINDS.values()),
    "a letter that identifies": asked(RARE, KINDS["yes or no"]),
    "a return code": asked(KINDS["yes or no"], **CODED),
    "questions sent together": asked({"text": "Do you drink?", "group": 1}, {**SCALE, "group": 1}),
    "readers of three tiers": asked(KINDS["yes or no"], KINDS["cards"], tiers=TIERS),
    "arms": in_arms,
    "a personal link": by_personal_link,
    "a second wave": in_a_second_wave,
    # What one kind says where no other question is weaker or stronger.
    **({kind: asked(question) for kind, question in KINDS.items()} if ALL else {}),
}


# The weakest, the usual and the strongest of them.
SOME_EPSILONS = EPSILONS if ALL or THOROUGH else EPSILONS[::2]


def cases() -> Iterator[tuple[str, str, str]]:
    for name in SURVEYS:
        for epsilon in SOME_EPSILONS:
            if ALL or epsilon == "2" or name == "every kind":
                yield name, epsilon, "en"
    for name in SURVEYS:
        if ALL or name == "every kind":
            yield name, "1", "de"


@pytest.mark.parametrize(("name", "epsilon", "language"), [*cases()])
def test_every_sentence_is_short_and_plain(
    live_server, new_context, client, name, epsilon, language
):
    launch, fragment, code = SURVEYS[name](client, epsilon, language)
    page = new_context(reduced_motion="reduce").new_page()
    url = f"{address(live_server, launch)}{fragment}"
    notes = walk(page, url, f"{name}, epsilon {epsilon}, {language}", code)
    keep(notes)
    assert len(notes.stops) > 20
    long = [one for one in notes.stops if len(words_of(one)) > MOST_WORDS]
    assert not long, long
    banned = [one for one in notes.stops if re.search(BANNED[language], one)]
    assert not banned, banned
    if language == "en":
        wrong = [one for one in notes.stops if is_untrue(one, launch)]
        assert not wrong, wrong


MEANT = re.compile(r"Of ([\d,]+) people who mean “(.+)”, (.+)\.$")
SENT = re.compile(r"([\d,]+) send ([A-Z]{1,2})\b")
OFTEN = re.compile(r"^(About|More than) (\d+) in (\d+) people send the letter of their real answer")


def is_untrue(sentence: str, launch: Launch) -> bool:
    """Whether no table of the survey gives the frequencies that a sentence states."""
    devices = [each for each in launch.document["devices"] if each["epsilon"] is not None]
    tables = [table for each in devices for table in steps_of(each["table"])]
    if found := MEANT.match(sentence):
        people = number(found[1])
        counts = [(number(count), letter) for count, letter in SENT.findall(found[3])]
        return not any(fits(table, people, counts) for table in tables)
    if found := OFTEN.match(sentence):
        about, part, people = found[1], int(found[2]), int(found[3])
        kept = [share for table in tables for share in own_letters(table)]
        near = (abs(one - part / people) <= 0.5001 / people for one in kept)
        return not (any(one > part / people for one in kept) if about == "More than" else any(near))
    return False


def steps_of(table: dict[str, Any]) -> list[dict[str, Any]]:
    return table["steps"] if table["form"] == "chain" else [table]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def columns(table: dict[str, Any]) -> list[list[float]]:
    """The shares of the letters for each answer; none of a table whose reports are no letters."""
    if "reports" not in table:
        return []
    return [[entry / table["denominator"] for entry in column] for column in columns_of(table)]


def own_letters(table: dict[str, Any]) -> list[float]:
    """How often each answer sends the letter in its own place."""
    return [column[v] for v, column in enumerate(columns(table)) if v < len(column)]


def fits(table: dict[str, Any], people: int, counts: list[tuple[int, str]]) -> bool:
    """Whether some answer sends each letter as often as it says, up to one of these people."""
    return any(
        all(letter in table["reports"] for _, letter in counts)
        and all(
            abs(column[table["reports"].index(letter)] * people - count) <= 1
            for count, letter in counts
        )
        for column in columns(table)
    )


def test_a_sentence_ends_at_its_full_stop():
    text = "Of 1.5 people, none. Is it “true.” or not? It is."
    assert sentences_of(text) == ["Of 1.5 people, none.", "Is it “true.” or not?", "It is."]
    assert len(words_of("At 3 – not 4 – it “works”.")) == 6
    assert Notes("x").stops == {}
