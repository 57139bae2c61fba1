"""The sentences that can be quoted, and the rows beside them.

Over results of every sort, and beside what other places show, they are in `tests/app/consistency`.
"""

import random
import re
from itertools import product
from types import SimpleNamespace

import msgspec
import pytest
from django.urls import reverse

from surveys import numbers
from surveys.results.findings import comparisons, sentences
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice, choice_of
from surveys.results.findings.questions import question_finding
from surveys.results.findings.strips import Marks, axis_svg, number_axis, share_axis, strip_svg
from surveys.results.findings.summary import summary_of
from surveys.results.findings.tables import _is_told, table_finding
from surveys.results.release import release_of
from surveys.results_document.weighted import WeightedQuestion, WeightedShare
from tests.app.consistency.random_results import SORTS
from tests.released import rich

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LABEL = "Yes"
MOST_WORDS = 20
WHOLE = re.compile(r"\d+(?:,\d{3})*")


def share(estimate, low, high, error=None):
    return SimpleNamespace(estimate=estimate, interval=(low, high), standard_error=error)


def random_shares(count, seed=29):
    """Shares of all sizes with intervals of all widths: rare ones, near 0 and 1, and beyond."""
    chance = random.Random(seed)
    for _ in range(count):
        true = chance.choice(
            [0, 1, chance.random(), chance.random() / 1000, 1 - chance.random() / 50]
        )
        error = 10 ** chance.uniform(-5, 0.3)
        estimate = true + error * chance.gauss(0, 1)
        low, high = estimate - 1.96 * error, estimate + 1.96 * error
        if chance.random() < 0.5:
            low, high = max(low, 0.0), min(high, 1.0)
        if low < high:
            yield share(estimate, low, high, error)


def words(sentence):
    return len(sentence.replace("\u00a0", " ").split())


def counts_in(sentence):
    return [int(text.replace(",", "")) for text in WHOLE.findall(sentence)]


@pytest.mark.parametrize(("several", "weighted"), [*product([False, True], repeat=2)])
def test_a_sentence_on_a_share_says_what_its_interval_says(several, weighted):
    kinds = set()
    for found in random_shares(600):
        sentence = sentences.share_sentence(LABEL, found, several=several, weighted=weighted)
        assert words(sentence) <= MOST_WORDS, sentence
        assert sentence.startswith("After weighting, ") == (weighted and " of 1" in sentence)
        low, high = found.interval
        if numbers.tells_nothing(found):
            kinds.add("nothing")
            assert sentence == "Too few answers to say anything about “Yes”."
        elif high < 0 or low > 1:
            kinds.add("impossible")
            assert "do not fit the device" in sentence
        elif low <= 0:
            kinds.add("at most")
            most, crowd = counts_in(sentence)
            assert most / crowd == pytest.approx(high, abs=0.5 / crowd)
            assert most < crowd
            assert "nobody at all fits" in sentence
        elif high >= 1:
            kinds.add("at least")
            least, crowd = counts_in(sentence)
            assert least / crowd == pytest.approx(low, abs=0.5 / crowd)
            assert least > 0
            assert "everybody fits" in sentence
        else:
            kinds.add("about")
            about, crowd, least, most = counts_in(sentence)
            near = 0.05 * (high - low)
            if "fewer than 1" in sentence:
                kinds.add("fewer than 1")
                assert low < near
                least = 0
            if "more than" in sentence:
                kinds.add("more than")
                assert 1 - high < near
                most = crowd
            assert least <= about <= most
            assert (least > 0) != ("fewer than 1" in sentence)
            assert (most < crowd) != ("more than" in sentence)
            for number, value in ((least, low), (most, high), (about, found.estimate)):
                assert number / crowd == pytest.approx(value, abs=0.5 / crowd)
    ends = {"fewer than 1", "more than"}
    assert kinds == {"nothing", "impossible", "at most", "at least", "about", *ends}


def test_the_smallest_crowd_that_tells_is_taken():
    expected = sentences.Frequency(100, 37, 30, 43, somebody=True, not_all=True)
    assert sentences.frequency(0.366, (0.3, 0.43)) == expected
    assert sentences.frequency(0.004, (0.001, 0.02)).crowd == 1000
    assert sentences.frequency(0.5, (0.4996, 0.5004)).crowd == 10_000
    # No crowd of a million for an end that is next to nobody.
    near = sentences.frequency(0.08325, (0.00002, 0.16862))
    assert (near.crowd, near.words["least"], near.words["most"]) == (100, "fewer than 1", "17")
    # An estimate beyond what can be is moved to where the interval is.
    assert sentences.frequency(-0.1, (0.0, 0.05)).about == 0


def test_no_interval_and_a_share_that_is_fixed_or_counted_have_their_own_words():
    unknown = share(None, 0.1, 0.4)
    assert "the data say no more" in sentences.share_sentence(
        LABEL, unknown, several=False, weighted=False
    )
    fixed = WeightedShare(estimate=0.3, standard_error=None, interval=(None, None), fixed=True)
    assert sentences.fixed_sentence(LABEL, fixed.estimate).startswith("30.0")
    assert "everybody whom this is about was asked" in sentences.counted_sentence(LABEL, 0.5)


def test_a_mean_is_no_more_precise_than_its_error_and_stays_in_its_range():
    said = sentences.mean_sentence(5.873, (3.51, 8.24), 1.2, (0.0, 20.0), unit="hours")
    assert said == "The mean is about 6 hours; anything from 4 to 8 hours fits the data."
    beyond = sentences.mean_sentence(-0.31, (-1.5, 0.9), 0.6, (0.0, 20.0), unit="hours")
    assert "about 0.0 hours; anything from 0.0 to 0.9 hours" in beyond
    wide = sentences.mean_sentence(3.0, (-8.0, 14.0), 5.0, (1.0, 5.0), score=True)
    assert wide == "Too few answers to say anything about the mean."
    for score, weighted in product([False, True], repeat=2):
        args = (3.0, (2.5, 3.5), 0.25, (1.0, 5.0))
        sentence = sentences.mean_sentence(*args, score=score, weighted=weighted)
        assert words(sentence) <= MOST_WORDS + (5 if score else 0)


# --- results ------------------------------------------------------------------------------------


def test_weighted_shares_are_said_to_be_so_and_fixed_ones_have_no_interval():
    found = next(SORTS["a refusal"](random.Random(3)))
    (question,) = found.results.questions
    shares = [
        WeightedShare(estimate=0.5, standard_error=0.02, interval=(0.46, 0.54), fixed=False),
        WeightedShare(estimate=0.3, standard_error=0.02, interval=(0.26, 0.34), fixed=False),
        WeightedShare(estimate=0.2, standard_error=0.02, interval=(0.16, 0.24), fixed=False),
    ]
    weighted = WeightedQuestion(n=900, answers=((0,), (1,), (2,)), categories=shares, mean=None)
    finding = question_finding(question, found.parameters, Choice(has_weights=True), weighted)
    assert finding.weighted
    assert finding.sentences == [
        "After weighting, about 30 of 100 answered “Yes”; anything from 26 to 34 fits the data."
    ]
    given = [
        WeightedShare(
            estimate=each.estimate, standard_error=None, interval=(None, None), fixed=True
        )
        for each in shares
    ]
    weighted = WeightedQuestion(n=900, answers=((0,), (1,), (2,)), categories=given, mean=None)
    finding = question_finding(question, found.parameters, Choice(has_weights=True), weighted)
    assert finding.sentences == ["30.0\u00a0% answered “Yes”, as the declared margin says."]
    (panel,) = finding.figures[0].panels
    assert {row.interval for row in panel.rows} == {"fixed by the margin"}
    assert not any("strip__95" in row.strip for row in panel.rows)


@pytest.mark.slow
def test_the_groups_of_a_table_are_compared_in_words():
    launch = rich(900)
    content = launch.results.get().content
    release = results_of(launch)
    (table,) = release.tables
    questions = {question.id: question for question in release.questions}
    said = table_finding(table, questions, NOTHING_CHOSEN).sentences
    p = content["tables"][0]["independence"]["p_value"]
    assert ("No difference" in said[0]) == (p >= 0.05)
    between = comparisons.Between("Yes", "Large", "Small", 0.6, 0.21, (0.3, 0.48))
    assert comparisons.differing_sentences(between, 1e-6) == [
        "“Yes”: about 60 of 100 in “Large” and about 21 in “Small”.",
        "That is 39 points more; anything from 30 to 48 fits the data (the groups differ, "
        "p\u00a0<\u00a00.001).",
    ]
    assert comparisons.alike_sentences(0.123, 0.4) == [
        "No difference between the groups could be shown (p\u00a0=\u00a00.40); differences of up "
        "to 13 points fit the data."
    ]


@pytest.mark.slow
def test_a_difference_is_quoted_only_where_both_its_shares_are_shown():
    (table,) = results_of(rich(900)).tables
    largest = max(table.differences, key=lambda entry: abs(entry.value))
    told = msgspec.structs.replace(largest, interval=(0.1, 0.9), value=0.5)
    group, outcome = told.groups[0], told.outcome
    rows = [list(row) for row in table.conditional]
    rows[group][outcome] = msgspec.structs.replace(rows[group][outcome], interval=(0.0, 1.0))
    withheld = msgspec.structs.replace(table, conditional=tuple(map(tuple, rows)))
    assert _is_told(table, told)
    assert not _is_told(withheld, told)


def results_of(launch):
    return release_of(launch).content


# --- strips -------------------------------------------------------------------------------------


def test_an_axis_fits_what_is_drawn_and_starts_at_zero():
    rows = [Marks(0.36, (0.3, 0.43), (0.34, 0.38)), Marks(0.05, (0.01, 0.09))]
    axis = share_axis(rows)
    assert (axis.low, axis.high) == (0, 0.5)
    assert axis.texts[0] == "0"
    assert axis.texts[-1] == "50\u00a0%"
    assert axis.place(0.25) == 50
    below = share_axis([Marks(-0.1, (-0.22, 0.03))])
    assert below.low <= -0.22
    assert below.is_beyond
    assert "strip__impossible" in axis_svg(below, "figure-q1")
    small = share_axis([Marks(0.002, (0.001, 0.004))])
    assert small.high <= 0.005
    assert len(set(small.texts)) == len(small.texts)
    number = number_axis(0.0, 20.0, [Marks(5.0, (3.0, 8.0))], "hours")
    assert number.texts[-1] == "20 hours"


def test_every_axis_holds_its_marks_and_has_room_for_its_numbers():
    for found in random_shares(500, seed=7):
        marks = Marks(found.estimate, found.interval)
        axis = share_axis([marks])
        assert all(-1e-9 <= axis.place(value) <= 100 + 1e-9 for value in marks.values())
        assert 2 <= len(axis.ticks) <= 7
        assert len(set(axis.texts)) == len(axis.texts), axis.texts


def test_a_strip_draws_its_marks_in_place_and_nothing_that_is_not_known():
    axis = share_axis([Marks(0.5, (0.4, 0.6))])
    strip = strip_svg(axis, Marks(0.3, (0.15, 0.45), truth=0.6), "figure-q1")
    assert 'href="#figure-q1-grid"' in strip
    assert 'cx="50%"' in strip
    assert 'x1="25%" x2="75%"' in strip
    assert 'class="strip__truth" x1="100%"' in strip
    empty = strip_svg(axis, Marks(None, (None, None)), "figure-q1")
    assert "circle" not in empty
    assert "strip__95" not in empty


# --- the page -----------------------------------------------------------------------------------


def test_a_choice_is_read_from_the_address_and_written_into_it():
    chosen = choice_of({"weights": "off", "sort": "size", "x": "1"}, has_weights=True)
    assert not chosen.weighted
    assert chosen.by_size
    assert chosen.query({"tier": "2"}) == "?tier=2&weights=off&sort=size"
    assert chosen.other_weights().weighted
    assert choice_of({"weights": "off"}, has_weights=False) == NOTHING_CHOSEN
    assert choice_of({"sort": "nonsense"}, has_weights=False) == NOTHING_CHOSEN
    assert NOTHING_CHOSEN.query({}) == "?"


@pytest.mark.slow
def test_the_summary_has_every_question_with_the_sentence_of_its_block(client):
    launch = rich(300, results_public=True)
    html = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    summary, _, blocks = html.partition('<p class="reading">')
    found = re.findall(r'<span class="summary__finding">(.*?)</span>', summary)
    assert len(found) == len(launch.parameters.questions)
    for sentence in found:
        assert f">{sentence}</p>" in blocks
    release = results_of(launch)
    views = [
        SimpleNamespace(
            key=question.id,
            text=question.text,
            part="",
            common="",
            own=question.text,
            randomized=question.randomized,
            finding=question_finding(question, launch.parameters, NOTHING_CHOSEN),
        )
        for question in release.questions
    ]
    assert all(row.strip for row in summary_of(views).rows)
