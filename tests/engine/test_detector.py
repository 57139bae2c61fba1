import re
from pathlib import Path

import pytest

from tests.engine.detector_alarms import BINARY, TERNARY, rows, worst_binary, worst_ternary

PAGE = Path(__file__).resolve().parents[2] / "docs" / "methods" / "compliance.md"


@pytest.mark.parametrize("n", [10, 73, 400])
def test_honest_surveys_are_called_implausible_at_most_once_in_a_thousand(n):
    assert max(worst_binary(design, n) for design in BINARY.values()) <= 0.001


@pytest.mark.parametrize("n", [12, 35])
def test_the_same_holds_for_three_categories(n):
    assert max(worst_ternary(design, n) for design in TERNARY.values()) <= 0.001


@pytest.mark.slow
def test_the_page_prints_the_exact_rates():
    text = PAGE.read_text(encoding="utf-8")
    printed = re.findall(r"^\| (?:k-ary|forced).*\|$", text, re.MULTILINE)
    assert printed == rows()
