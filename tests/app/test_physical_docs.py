"""The tables of the authors' page on physical randomizers are what the code would freeze."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import translation

import rr_engine
from surveys.devices.physical.device import declared_epsilon
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import fitting_physical_devices
from surveys.models import Question

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "physical-devices.md"
EPSILONS = [Decimal(text) for text in ("0.5", "1", "1.1", "1.5", "2", "3")]
COARSE = [
    ("coin, twice", 4),
    ("coin, three times", 8),
    ("die", 6),
    ("last digit", 10),
]
CROSSWISE = [
    ("crosswise, last digit", (1, 2, 3, 4), 10),
    ("crosswise, birthday", (124, 237, 361, 481, 605), 1461),
]
QUESTIONS = {
    "Yes or No": {"kind": "yes_no"},
    "Yes, No or prefer not to say": {"kind": "yes_no", "prefer_not": True},
    "Five answers": {"kind": "scale", "options": ["1", "2", "3", "4", "5"]},
}


def lines() -> list[str]:
    return PAGE.read_text(encoding="utf-8").splitlines()


def cells(*values: object) -> str:
    return "| " + " | ".join(map(str, values)) + " |"


def cost(design: rr_engine.DesignMatrix) -> list[str]:
    """Retention, declared epsilon, and respondents for a margin of 5 points at a share of 10 %."""
    retention = f"{design.matrix.max():.0%}".replace("%", " %")
    people = rr_engine.sample_size(design, 0.1, 0.05)
    return [retention, f"{declared_epsilon(design):.4f}", f"{people:,}"]


def strengths() -> list[str]:
    rows = []
    for name, outcomes in COARSE:
        for forced in range(1, (outcomes - 1) // 2 + 1):
            design = rr_engine.designs.forced_choice(2, outcomes, forced)
            rows.append(cells(name, f"{forced} of {outcomes} for each letter", *cost(design)))
    for name, shares, bound in CROSSWISE:
        for share in shares:
            design = rr_engine.designs.crosswise_of(share, bound)
            rows.append(cells(name, f"{share} of {bound} say yes", *cost(design)))
    return rows


def epsilon_rows(label: str, values: dict) -> list[str]:
    """Rows of the table: for each device its epsilon at several epsilons of the question."""
    rows = []
    for device in PHYSICAL_DEVICES.values():
        cell = []
        for epsilon in EPSILONS:
            question = Question(name="q", randomized=True, epsilon=epsilon, **values)
            fits = device.name in [each.name for each in fitting_physical_devices(question)]
            cell.append(device.freeze(question).epsilon if fits else "–")
        if set(cell) != {"–"}:
            rows.append(cells(device.label, *cell))
    return rows


def test_every_strength_of_the_coarse_devices_is_in_the_table():
    assert [row for row in strengths() if row not in lines()] == []


@pytest.mark.slow
@pytest.mark.parametrize("label", QUESTIONS)
def test_what_a_questions_epsilon_leads_to_is_in_its_table(label):
    with translation.override("en"):
        rows = epsilon_rows(label, QUESTIONS[label])
    text = lines()
    start = text.index(f"**{label}**")
    head = text.index(cells("device", *EPSILONS), start)
    assert text[head + 2 : head + 2 + len(rows)] == rows
    assert text[head + 2 + len(rows)] == ""


def test_the_page_names_every_device():
    with translation.override("en"):
        missing = [
            d.name for d in PHYSICAL_DEVICES.values() if f"**{d.label}**" not in "".join(lines())
        ]
    assert missing == []


def test_one_toss_for_two_questions_would_give_answers_away():
    """Why the instructions say “anew”: letters that differ then come from the real answers only."""
    answers = {"HH": "A", "TT": "B", "HT": None, "TH": None}
    reports = {
        (first, second): {
            (answers[toss] or "AB"[first]) + (answers[toss] or "AB"[second]) for toss in answers
        }
        for first in (0, 1)
        for second in (0, 1)
    }
    assert [truths for truths, letters in reports.items() if "AB" in letters] == [(0, 1)]


def test_births_that_are_uneven_by_two_percent_move_a_rare_trait_by_one_point():
    """The estimate inverts what it believes; the reports of people without the trait say more."""
    share = 361 / 1461
    estimate = (1.02 * share - share) / (1 - 2 * share)
    assert estimate == pytest.approx(0.01, abs=0.0005)
