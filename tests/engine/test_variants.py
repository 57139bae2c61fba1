"""Yes/no designs by name: their estimates are the closed forms of the papers, as RRTCS has them."""

from math import log, sqrt

import pytest

from rr_engine import NotIdentifiableError, estimate, mangat, two_stage, unrelated_question
from rr_engine.library import (
    christofides,
    devore,
    mangat_singh_singh,
    singh_joarder,
    soberanis_cruz,
)

# r of RRTCS 0.0.4 (`Qualitative`) for a share z of yes, its model in the comment.
CLOSED_FORMS = [
    (devore(0.7), lambda z: (z - 0.3) / 0.7),  # 4
    (two_stage(0.55, 0.7), lambda z: (z - 0.45 * 0.3) / (0.55 + 0.45 * 0.4)),  # 5, Mangat-Singh
    (mangat_singh_singh(0.6, 0.5), lambda z: (z - 0.4 * 0.5) / (1 - 0.4 * 0.5)),  # 11
    (soberanis_cruz(0.7, 0.5, 0.5), lambda z: (z - 0.3 * 0.5) / 0.7),  # 3
    (singh_joarder(0.6), lambda z: (z - 0.4) / ((2 * 0.6 - 1) + 0.6 * 0.4)),  # 9
]


@pytest.mark.parametrize(("design", "closed_form"), CLOSED_FORMS)
def test_estimates_are_those_of_the_papers(design, closed_form):
    found = estimate(design, [53, 47])
    assert found.proportions[1] == pytest.approx(closed_form(0.47), rel=1e-12)
    # The mean of r (r - 1), which RRTCS takes as the device's variance, is that of the table.
    scores = [closed_form(report) for report in (0, 1)]
    device = 0.53 * scores[0] * (scores[0] - 1) + 0.47 * scores[1] * (scores[1] - 1)
    fixed = estimate(design, [53, 47], population="fixed")
    assert fixed.standard_errors[1] == pytest.approx(sqrt(device / 100))


def test_tables_that_have_other_names_too():
    assert devore(0.7) == mangat(0.7)
    assert devore(0.75).matrix.tolist() == unrelated_question(0.75, 1).matrix.tolist()
    assert soberanis_cruz(0.5, 0.25, 0.25) == unrelated_question(0.5, 0.25)


def test_singh_and_joarder_reveal_more_than_warner_and_lose_less():
    design = singh_joarder(0.7)
    assert design.epsilon == pytest.approx(log(0.7 / 0.09))
    assert design.epsilon > two_stage(0, 0.7).epsilon
    assert design.mse([0.8, 0.2], 100) < two_stage(0, 0.7).mse([0.8, 0.2], 100)
    with pytest.raises(NotIdentifiableError):
        estimate(singh_joarder((3 - sqrt(5)) / 2), [5, 5])


def test_a_related_question_says_more_of_both_kinds():
    related, unrelated = soberanis_cruz(0.5, 0.75, 0.25), soberanis_cruz(0.5, 0.5, 0.5)
    assert related.epsilon > unrelated.epsilon
    assert related.mse([0.5, 0.5], 100) < unrelated.mse([0.5, 0.5], 100)


def test_cards_that_read_alike_from_both_ends_say_nothing():
    with pytest.raises(NotIdentifiableError):
        estimate(christofides([0.25, 0.5, 0.25]), [5, 5, 5])
