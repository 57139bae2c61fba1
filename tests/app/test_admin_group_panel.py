"""The figures of questions that are sent together, and of the ways to spend their epsilon."""

import json
from decimal import Decimal
from math import exp

import pytest
from django.urls import reverse

import rr_engine
from surveys.admin.pages.planning import panel_page
from surveys.devices.joint import freeze_for_everybody
from surveys.drafts import Draft
from surveys.parameters import parts_of
from surveys.parameters.exact import design_of
from tests.app.author_posts import sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
URL = reverse("admin:survey_panel")
SIZES = (2, 3, 5)
PEOPLE = 500


def entry(number, **values):
    question = {
        "key": f"questions-{number}",
        "position": str(number + 1),
        "kind": "single_choice",
        "options": "\n".join("ABCDEFGHIJ"[: SIZES[number % 3]]),
        "randomized": "True",
        "epsilon": "1",
        "group": "1",
        "required": True,
        "prefer_not": False,
    }
    return {**question, **values}


YES_NO = {"kind": "yes_no", "options": ""}


def answer(client, *questions, **plan):
    body = {"budget": "8", "planned_n": str(PEOPLE), "language": "en", "questions": questions}
    response = sign_in(client).post(
        URL, json.dumps({**body, **plan}), content_type="application/json"
    )
    assert response.status_code == 200
    return response.json()


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


def test_the_figures_of_a_question_are_those_of_its_part_of_the_report(client):
    panels = answer(client, *three())["panels"]
    for place, (size, part) in enumerate(zip(SIZES, parts_of(frozen()), strict=True)):
        margin = design_of(part.table)
        figures = panels[f"questions-{place}"]["figures"]
        assert figures["least_retained"] == pytest.approx(margin.matrix[0, 0])
        assert figures["most_retained"] == pytest.approx(margin.matrix[0, 0])
        # The focal answer of two is the second, of more the first; it is planned at 10 %.
        focal = 1 if size == 2 else 0
        shares = [0.9 / (size - 1)] * size
        shares[focal] = 0.1
        expected = rr_engine.margin_of_error(margin, shares, PEOPLE, category=focal)
        assert figures["margin_at_planned_n"] == pytest.approx(expected)
        assert figures["posterior"] == pytest.approx(margin.posterior(shares)[:, focal].max())


def test_what_a_report_reveals_is_the_epsilon_of_the_group(client):
    panels = answer(client, *three())["panels"]
    for panel in panels.values():
        assert panel["figures"]["likelihood_ratio"] == pytest.approx(exp(3), rel=1e-6)
        assert panel["figures"]["likelihood_ratio"] <= exp(3)
        assert "all 3 questions of the group" in panel["texts"]["groups"]
        assert panel["texts"]["factor"] == "20.1"
        # No device of one question beside them.
        assert panel["rows"] == []
        assert panel["proposal"] == ""


def test_a_group_is_named_with_its_sums(client):
    (group,) = answer(client, *three())["above"]["groups"]
    assert group["label"] == ("Group 1: questions 1 to 3, ε 3 together, 30 combinations of answers")
    assert group["problems"] == []
    assert group["warning"] == ""


def test_the_ways_to_spend_the_epsilon_are_those_of_the_engine(client):
    (group,) = answer(client, *three())["above"]["groups"]
    ways = rr_engine.compare_joint(SIZES, "3", PEOPLE)
    assert group["columns"] == ["Each answer", "Pairs of answers", "All combinations"]
    assert len(group["rows"]) == len(ways)
    for row, way in zip(group["rows"], ways, strict=True):
        errors = [way.margins, way.pairs, way.table]
        shown = [f"± {100 * 1.959964 * error:.1f} points" for error in errors]
        assert [cell["margin"] for cell in row["cells"]] == shown
        best = [target in way.best_for for target in ("margins", "pairs", "table")]
        assert [cell["best"] for cell in row["cells"]] == best
    form = {"joint": "changes", "combinations": "uniform"}[frozen().family]
    assert [row["used"] for row in group["rows"]] == [way.way == form for way in ways]


FIVES = {"options": "A\nB\nC\nD\nE"}
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
def test_a_sentence_says_what_the_group_is_good_for(client, group, says):
    epsilon, count = group
    found = answer(client, *(entry(i, **FIVES, epsilon=epsilon) for i in range(count)))["above"][
        "groups"
    ]
    assert found[0]["sentence"] == says
    ways = rr_engine.compare_joint((5,) * count, count * int(epsilon), PEOPLE)
    (used,) = [way for way, row in zip(ways, found[0]["rows"], strict=True) if row["used"]]
    better = [
        getattr(used, target) < getattr(ways[0], target) for target in ("margins", "pairs", "table")
    ]
    assert better == ([False, True, True] if count == 3 else [True] * 3)


def test_two_questions_have_one_pair(client):
    (group,) = answer(client, entry(0), entry(1))["above"]["groups"]
    assert group["columns"] == ["Each answer", "All combinations"]


def test_one_change_moves_the_figures_of_all_questions_of_the_group(client):
    before, after = (answer(client, *three(epsilon=epsilon))["panels"] for epsilon in ("1", "2"))
    for key in before:
        kept = [panels[key]["figures"]["least_retained"] for panels in (before, after)]
        assert kept[0] < kept[1]


def test_settled_questions_count_in_their_group(client):
    """The page asks for the figures that it does not have yet."""
    both = answer(client, *three(), settled=["questions-0", "questions-1"])
    assert set(both["panels"]) == {"questions-2"}
    figures = both["panels"]["questions-2"]["figures"]
    assert figures == answer(client, *three())["panels"]["questions-2"]["figures"]
    assert both["above"]["groups"][0]["rows"]


def test_the_order_of_the_request_is_not_that_of_the_page(client):
    edited_first = three()[::-1]
    assert (
        answer(client, *edited_first)["above"]["groups"]
        == answer(client, *three())["above"]["groups"]
    )


@pytest.mark.parametrize("changes", [{"options": "A"}, {"epsilon": ""}, {"epsilon": "9"}])
def test_no_figures_of_an_unfinished_group_are_shown(client, changes):
    found = answer(client, *three(**changes))
    for key in ("questions-0", "questions-1"):
        assert found["panels"][key]["figures"] == {}
        assert "once all questions sent together are complete" in found["panels"][key]["error"]
    assert found["panels"]["questions-2"]["error"]
    assert found["above"]["groups"][0]["rows"] == []


def test_the_rules_are_said_while_a_group_is_composed(client):
    apart = entry(1, group="", position="2")
    (group,) = answer(client, entry(0, **YES_NO), apart, entry(2))["above"]["groups"]
    assert group["label"].startswith("Group 1: questions 1 and 3")
    assert any("must follow one another" in text for text in group["problems"])
    (alone,) = answer(client, entry(0, **YES_NO))["above"]["groups"]
    assert any("one question only" in text for text in alone["problems"])


def test_too_few_respondents_are_said_while_a_group_is_composed(client):
    (group,) = answer(client, *three(), planned_n="20")["above"]["groups"]
    assert any("30 combinations of answers for 20 planned" in text for text in group["problems"])
    assert group["rows"] == []
    (group,) = answer(client, *three(), planned_n="200")["above"]["groups"]
    assert group["problems"] == []
    assert "fewer than 10 for each" in group["warning"]


HOSTILE = [["1"], {"a": 1}, True, "x", "0", "-1", "999999999999999999999", "١", 1, None]


@pytest.mark.parametrize("group", HOSTILE)
@pytest.mark.parametrize("position", ["1", "x", [], None, "9" * 40])
def test_groups_that_are_no_numbers_do_no_harm(client, group, position):
    assert answer(client, entry(0, group=group, position=position), entry(1))["panels"]


@pytest.mark.slow
def test_a_group_of_two_hundred_questions_is_refused_in_words(client):
    many = [entry(index, **YES_NO, epsilon="0.01") for index in range(200)]
    found = answer(client, *many)
    assert any(
        "combinations of answers" in text for text in found["above"]["groups"][0]["problems"]
    )


def test_what_there_was_no_time_for_is_asked_again(client, monkeypatch):
    monkeypatch.setattr(panel_page, "SECONDS", 0)
    entries = [entry(i, **YES_NO, group=str(1 + i // 2), epsilon="0.77") for i in range(6)]
    found = answer(client, *entries)
    assert [bool(group["rows"]) for group in found["above"]["groups"]] == [True, False, False]
    assert found["more"]
    monkeypatch.undo()
    found = answer(client, *entries, settled=[each["key"] for each in entries])
    assert all(group["rows"] for group in found["above"]["groups"])
    assert not found["more"]


def test_questions_on_their_own_have_no_groups(client):
    found = answer(client, entry(0, group=""), entry(1, group=""))
    assert found["above"] == {}
    assert found["panels"]["questions-0"]["texts"]["groups"] == ""
