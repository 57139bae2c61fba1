"""The figures of questions that are sent together, and what stands above them in the list."""

import math
from decimal import Decimal
from math import exp

import pytest

import rr_engine
from surveys.admin.editor import lines
from surveys.authoring.draft_parameters import questions_of
from surveys.devices.joint import freeze_for_everybody
from surveys.drafts import Draft
from surveys.features.groups.figures import group_panels
from surveys.models import Survey
from surveys.parameters import parts_of
from surveys.parameters.exact import design_of
from tests.app.author_posts import opened, page, sign_in, typed_figures, write_question
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SIZES = (2, 3, 5)
PEOPLE = 500


def entry(number, **values):
    question = {
        "kind": "single_choice",
        "options": [*"ABCDEFGHIJ"[: SIZES[number % 3]]],
        "epsilon": Decimal(1),
        "group": 1,
        "required": True,
    }
    return {**question, **values}


YES_NO = {"kind": "yes_no", "options": []}


def survey_of(*questions, **values):
    plan = {"budget": Decimal(8), "planned_n": PEOPLE, "slug": f"s{Survey.objects.count()}"}
    return make_survey(questions=questions, **{**plan, **values})


def figures_in(*questions, **values):
    """The figures of each question of a draft."""
    survey = survey_of(*questions, **values)
    return [typed_figures(question) for question in survey.questions.all()]


def groups_above(*questions, **values):
    """What the list of a draft says of its groups."""
    survey = survey_of(*questions, **values)
    return group_panels(questions_of(survey), survey.planned_n, math.inf)


def three(**values):
    return [entry(0, **YES_NO), entry(1), entry(2, **values)]


def frozen():
    """The device that a launch freezes for the three questions."""
    options = [(), tuple("ABC"), tuple("ABCDE")]
    drafts = [
        Draft(
            name=f"q{len(labels)}",
            kind="single_choice" if labels else "yes_no",
            options=labels,
            epsilon=Decimal(1),
        )
        for labels in options
    ]
    return freeze_for_everybody(drafts, 0)


def test_the_figures_of_a_question_are_those_of_its_part_of_the_report():
    shown = figures_in(*three())
    for each, size, part in zip(shown, SIZES, parts_of(frozen()), strict=True):
        margin = design_of(part.table)
        figures = each.panel.figures
        assert figures["least_retained"] == pytest.approx(margin.matrix[0, 0])
        assert figures["most_retained"] == pytest.approx(margin.matrix[0, 0])
        # The focal answer of two is the second, of more the first; it is planned at 10 %.
        focal = 1 if size == 2 else 0
        shares = [0.9 / (size - 1)] * size
        shares[focal] = 0.1
        expected = rr_engine.margin_of_error(margin, shares, PEOPLE, category=focal)
        assert figures["margin_at_planned_n"] == pytest.approx(expected)
        assert figures["posterior"] == pytest.approx(margin.posterior(shares)[:, focal].max())


def test_what_a_report_reveals_is_the_epsilon_of_the_group():
    for each in figures_in(*three()):
        panel = each.panel
        assert panel.figures["likelihood_ratio"] == pytest.approx(exp(3), rel=1e-6)
        assert panel.figures["likelihood_ratio"] <= exp(3)
        assert "all 3 questions of the group" in panel.texts["groups"]
        assert panel.texts["factor"] == "20.1"
        # No device of one question beside them.
        assert each.comparison.rows == []
        assert each.comparison.proposal == ""


def test_a_group_is_named_with_its_sums():
    (group,) = groups_above(*three())
    assert group.label == ("Group 1: questions 1 to 3, ε 3 together, 30 combinations of answers")
    assert group.problems == []
    assert group.warning == ""


def test_the_ways_to_spend_the_epsilon_are_those_of_the_engine():
    (group,) = groups_above(*three())
    ways = rr_engine.spending.compare_joint(SIZES, "3", PEOPLE)
    assert group.columns == ["Each answer", "Pairs of answers", "All combinations"]
    assert len(group.rows) == len(ways)
    for row, way in zip(group.rows, ways, strict=True):
        errors = [way.margins, way.pairs, way.table]
        shown = [f"± {100 * 1.959964 * error:.1f} points" for error in errors]
        assert [cell.margin for cell in row.cells] == shown
        best = [target in way.best_for for target in ("margins", "pairs", "table")]
        assert [cell.best for cell in row.cells] == best
    form = {"joint": "changes", "combinations": "uniform"}[frozen().family]
    assert [row.used for row in group.rows] == [way.way == form for way in ways]


FIVES = {"options": [*"ABCDE"]}
SENTENCES = [
    # Domingo-Ferrer 2018: a group costs each answer something and gives its pairs.
    (
        ("1", 3),
        "For each answer alone, 3 separate devices would be more precise; for pairs of answers and "
        "all combinations, the group.",
    ),
    (("3", 2), "The group is more precise than 2 separate devices throughout."),
]


@pytest.mark.parametrize(("group", "says"), SENTENCES)
def test_a_sentence_says_what_the_group_is_good_for(group, says):
    epsilon, count = group
    (found,) = groups_above(*(entry(i, **FIVES, epsilon=Decimal(epsilon)) for i in range(count)))
    assert found.sentence == says
    ways = rr_engine.spending.compare_joint((5,) * count, count * int(epsilon), PEOPLE)
    (used,) = [way for way, row in zip(ways, found.rows, strict=True) if row.used]
    better = [
        getattr(used, target) < getattr(ways[0], target) for target in ("margins", "pairs", "table")
    ]
    assert better == ([False, True, True] if count == 3 else [True] * 3)


def test_two_questions_have_one_pair():
    (group,) = groups_above(entry(0), entry(1))
    assert group.columns == ["Each answer", "All combinations"]


def test_one_change_moves_the_figures_of_all_questions_of_the_group():
    before, after = (figures_in(*three(epsilon=Decimal(epsilon))) for epsilon in (1, 2))
    for one, other in zip(before, after, strict=True):
        assert one.panel.figures["least_retained"] < other.panel.figures["least_retained"]


def test_what_is_typed_into_one_question_counts_in_its_group():
    """The others are as they are stored."""
    survey = survey_of(*three())
    question = survey.questions.last()
    typed = typed_figures(question, epsilon="2").panel.figures
    assert typed == figures_in(*three(epsilon=Decimal(2)))[2].panel.figures
    assert typed != typed_figures(question).panel.figures


@pytest.mark.slow
def test_the_list_shows_a_group_above_its_first_question(client):
    alone = entry(1, group=None)
    survey = survey_of(alone, *three())
    first, second, *_others = sign_in(client).get(page(survey)).context["overview"].lines
    assert first.above == []
    ((_template, group),) = second.above
    assert group.label.startswith("Group 1: questions 2 to 4")
    html = client.get(page(survey)).text
    assert group.label in html
    assert html.count('data-group-head="1"') == 1


@pytest.mark.parametrize("epsilon", ["", "9"])
@pytest.mark.slow
def test_an_unfinished_question_leaves_the_figures_of_the_others(client, epsilon):
    """They are those of what was right last."""
    survey = survey_of(*three())
    first, _second, third = survey.questions.all()
    before = typed_figures(first).panel.figures
    assert write_question(sign_in(client), third, epsilon=epsilon)["errors"]
    assert typed_figures(survey.questions.first()).panel.figures == before
    assert opened(client, third).context["figures"].panel.error


@pytest.mark.parametrize("changes", [{"options": ["A"]}, {"options": []}])
def test_no_figures_of_a_group_without_all_answers_are_shown(changes):
    shown = figures_in(*three(**changes))
    for each in shown[:2]:
        assert each.panel.figures == {}
        assert "once all questions sent together are complete" in each.panel.error
    assert shown[2].panel.error
    (group,) = groups_above(*three(**changes))
    assert group.rows == []


def test_the_rules_are_said_while_a_group_is_composed():
    apart = entry(1, group=None)
    (group,) = groups_above(entry(0, **YES_NO), apart, entry(2))
    assert group.label.startswith("Group 1: questions 1 and 3")
    assert any("must follow one another" in text for text in group.problems)
    (alone,) = groups_above(entry(0, **YES_NO))
    assert any("one question only" in text for text in alone.problems)


def test_too_few_respondents_are_said_while_a_group_is_composed():
    (group,) = groups_above(*three(), planned_n=20)
    assert any("30 combinations of answers for 20 planned" in text for text in group.problems)
    assert group.rows == []
    (group,) = groups_above(*three(), planned_n=200)
    assert group.problems == []
    assert "fewer than 10 for each" in group.warning


@pytest.mark.slow
def test_a_group_of_two_hundred_questions_is_refused_in_words(client):
    many = [entry(index, **YES_NO, epsilon=Decimal("0.01")) for index in range(200)]
    survey = survey_of(*many)
    shown = sign_in(client).get(page(survey)).context["overview"].lines[0].above[0][1]
    assert any("combinations of answers" in text for text in shown.problems)


def test_what_there_was_no_time_for_is_asked_again(client, monkeypatch):
    monkeypatch.setattr(lines, "SECONDS", 0)
    entries = [entry(i, **YES_NO, group=1 + i // 2, epsilon=Decimal("0.77")) for i in range(6)]
    survey = survey_of(*entries)
    shown = sign_in(client).get(page(survey, "questions"))
    groups = [panel for line in shown.context["overview"].lines for _t, panel in line.above]
    assert [bool(group.rows) for group in groups] == [True, False, False]
    assert 'data-pending="yes"' in shown.text
    monkeypatch.undo()
    shown = client.get(page(survey, "questions"))
    groups = [panel for line in shown.context["overview"].lines for _t, panel in line.above]
    assert all(group.rows for group in groups)
    assert 'data-pending=""' in shown.text


def test_questions_on_their_own_have_no_groups():
    alone = (entry(0, group=None), entry(1, group=None))
    assert groups_above(*alone) == []
    assert figures_in(*alone)[0].panel.texts["groups"] == ""
