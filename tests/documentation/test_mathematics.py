"""The formulas of docs/methods as MathML: what is one, and what stands above and below."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scripts.documentation.mathematics import NoFormulaError, mathml

METHODS = Path(__file__).resolve().parents[2] / "docs/methods"


def words(markup: str) -> str:
    """The formula as one line of text: bars as `over`, indices and exponents in brackets."""
    return _told(ElementTree.fromstring(markup))


def _told(element: ElementTree.Element) -> str:
    parts = [_told(child) for child in element]
    if element.tag == "mfrac":
        return f"[{parts[0]} over {parts[1]}]"
    if element.tag in ("msub", "munder"):
        return f"{parts[0]}_[{parts[1]}]"
    if element.tag in ("msup", "mover"):
        return f"{parts[0]}^[{parts[1]}]"
    if element.tag in ("msubsup", "munderover"):
        return f"{parts[0]}_[{parts[1]}]^[{parts[2]}]"
    if element.tag == "msqrt":
        return f"root[{''.join(parts)}]"
    return (element.text or "") + "".join(parts)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("P pi = lam_hat", "Pπ=λ^[^]"),
        ("pi_hat_v", "π^[^]_[v]"),
        ("1 <= r_v <= e^epsilon", "1≤r_[v]≤e^[ε]"),
        ("P^-1", "P^[−1]"),
        ("w_ik^2", "w_[ik]^[2]"),
        ("p00", "p_[00]"),
        ("a'pi", "a′π"),
        ("pi_i+", "π_[i+]"),
        ("e^(-t S)", "e^[−tS]"),
        ("(a - b)/c", "(a−b)/c"),
        ("sqrt(1 - x)", "root[1−x]"),
        ("1 - weight", "1−weight"),
        ("x**2", "x^[2]"),
        ("pi*", "π^[*]"),
    ],
)
def test_a_formula_of_a_sentence(source, expected):
    assert words(mathml(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("v_0 = q (1 - q)/(p - q)^2", "v_[0]=q[1−q over (p−q)^[2]]"),
        ("pi_hat_v/R + 1", "[π^[^]_[v] over R]+1"),
        ("cov(s, t) / n'", "[cov(s,t) over n′]"),
        # The sum is over the quotients.
        ("sum_j w_j x_j / n_j", "∑_[j][w_[j]x_[j] over n_[j]]"),
        # The largest quotient, or the quotient of the largest: as it is written.
        ("max_u A / B", "max_[u]A/B"),
        ("max_u A / min_u B", "[max_[u]A over min_[u]B]"),
        ("G_1 (x) G_2", "G_[1]⊗G_[2]"),
        ("prod_{e in S} v_e", "∏_[e∈S]v_[e]"),
        ("the mean of a function", "themeanofafunction"),
    ],
)
def test_a_formula_of_its_own(source, expected):
    assert words(mathml(source, display=True)) == expected


@pytest.mark.parametrize(
    "source",
    ["estimate(design, counts)", "DesignMatrix", "rr_engine/kronecker.py", "density=d", "rr", "",
     "dp_accounting", "make papers", "interval_evidence.py pooled", '"sample"', "Estimate.notes",
     "a -- b"],
)  # fmt: skip
def test_a_program_is_no_formula(source):
    with pytest.raises(NoFormulaError):
        mathml(source)


def test_a_bracket_that_is_not_closed_is_no_formula():
    for source in ("(a - b", "a - b)", "P[u, v", "x^", "a_"):
        with pytest.raises(NoFormulaError):
            mathml(source, display=True)


def test_every_page_of_methods_has_formulas():
    spans = {
        page.name: sum(_is_formula(span) for span in re.findall("`([^`\n]+)`", page.read_text()))
        for page in METHODS.glob("*.md")
    }
    assert [name for name, count in spans.items() if not count] == ["errors.md"]
    assert sum(spans.values()) > 1_000


def _is_formula(span: str) -> bool:
    try:
        mathml(span)
    except NoFormulaError:
        return False
    return True
