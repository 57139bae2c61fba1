"""The panel of a question about the roster while it is edited."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from django.conf import settings
from django.urls import reverse

import rr_engine
from surveys.authoring.device_comparison import comparison_of
from surveys.authoring.networks.figures import WIDE, NetworkGuess, network_figures
from surveys.authoring.networks.panel import DEGREE, STATISTICS
from surveys.authoring.networks.texts import share_margin, statistic_text
from surveys.authoring.panel.words import panel_of
from surveys.drafts import Draft
from surveys.models import Survey
from surveys.results.kinds.network_presentation import SHARES
from tests.app.author_posts import (
    opened,
    page,
    question_page,
    sign_in,
    typed_figures,
    write_question,
)
from tests.builders import make_survey, make_user
from tests.rosters import TIES, launched_network, network_survey, roster_rows

SPACE = "\u00a0"


def ties(members=60, epsilon="1", *, expected="5", **values):
    settings = json.dumps({"expected_ties": expected})
    defaults = {"kind": "roster_ties", "design": "tie_bits", "directed": True, "planned_n": members}
    return Draft(
        **{**defaults, **values}, members=members, epsilon=Decimal(epsilon), settings=settings
    )


def ties_draft(members):
    return network_survey(roster_rows(members), questions=[TIES[1]], planned_n=members)


def words(draft, **values):
    return panel_of(draft=draft, planned_n=draft.planned_n, language="en", **values)


def section(panel, start):
    (found,) = [each for each in panel.sections if each["heading"].startswith(start)]
    return found


def cells(section):
    return {row["cells"][0]: row["cells"][1:] for row in section["rows"]}


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("answering", [60, 45])
def test_the_errors_are_those_that_the_engine_plans(directed, answering):
    draft = ties(directed=directed, planned_n=answering)
    found = network_figures(NetworkGuess.of(draft))
    plan = rr_engine.networks.plan_network(
        60,
        rr_engine.k_rr(2, "1"),
        5 / 59,
        directed=directed,
        reports=1 if directed else 2,
        reciprocity=0.5 if directed else None,
        answering=answering,
    )
    assert {name for name, _, _ in found.statistics} == plan.statistics.keys()
    for name, value, error in found.statistics:
        assert value == pytest.approx(plan.statistics[name].value), name
        # The device is rounded to integers.
        assert error == pytest.approx(plan.statistics[name].standard_error, rel=1e-6), name


def test_every_statistic_has_its_line_with_a_margin_at_95_percent():
    panel = words(ties(directed=False, epsilon="2"))
    shown = cells(section(panel, "How well"))
    assert list(shown) == [
        "Ties",
        "Density: share of the pairs that are tied",
        "Mean degree: ties of a member, on average",
        "Triangles: three members of whom each two are tied",
        "Clustering coefficient: share of the two-paths whose ends are tied",
        "Ties of one member: shown to nobody",
    ]
    found = network_figures(NetworkGuess.of(ties(directed=False, epsilon="2")))
    margin = next(WIDE * error for name, _, error in found.statistics if name == "ties")
    assert shown["Ties"] == ["150", f"± {margin:.0f}"]
    assert shown["Density: share of the pairs that are tied"] == [f"8.5{SPACE}%", "± 1.4 points"]


def test_what_cannot_be_told_from_nothing_is_named():
    sentences = " ".join(section(words(ties()), "How well")["sentences"])
    assert "there may be none: Mutual ties, Reciprocity, Transitive triples" in sentences
    exact = section(words(ties(epsilon="4")), "How well")["sentences"]
    assert "Mutual ties" not in " ".join(exact)


def test_the_epsilon_for_a_wanted_density_gives_that_margin():
    guess = NetworkGuess.of(ties())
    for margin, epsilon in network_figures(guess).wanted:
        there = network_figures(NetworkGuess.of(ties(epsilon=f"{epsilon:.6f}")))
        assert there.margin("density") == pytest.approx(margin, rel=1e-4)


def test_one_tie_both_reports_and_a_whole_person_are_told_apart():
    directed, both = (
        cells(section(words(ties(directed=way)), "What the epsilon")) for way in (True, False)
    )
    assert directed == {
        "One tie, as one member reports it (edge level)": ["1", "74 of 100"],
        "All ties that one member reports (person level)": ["59", "practically always"],
        "All reports on one member’s ties, the others’ too": ["118", "practically always"],
    }
    assert both["One tie, as both members report it (edge level)"] == ["2", "89 of 100"]


def test_what_a_person_reveals_is_said_by_its_size():
    small = section(words(ties(4, "0.5", expected="1")), "What the epsilon")["sentences"]
    assert small == [
        "The 3 answers of one member are scrambled one by one. All together they can reveal as "
        "much as one answer at an epsilon of 1.5."
    ]
    (large,) = section(words(ties()), "What the epsilon")["sentences"]
    assert "It is none for a whole person: the 59 answers of one member add up to 59" in large


def test_what_is_said_of_a_report_names_both_levels():
    """The launch page has this sentence alone."""
    assert words(ties()).texts["strength"] == (
        "A report can make an even guess at one tie (50 of 100) right 74 times in 100, at most. "
        "About all 59 names of one member together (person level, epsilon 59) a guess can become "
        "practically certain."
    )
    assert (
        words(ties(4, "0.5", expected="1"))
        .texts["strength"]
        .endswith("(person level, epsilon 1.5) a guess can be right 82 times in 100.")
    )


def test_a_cap_is_compared_at_the_same_promise_about_a_person():
    found = section(words(ties()), "What “name up to")
    caps = rr_engine.networks.compare_tie_caps(60, 59, "59", [5, 8, 10], 5 / 59)
    rows = [row["cells"] for row in found["rows"]]
    assert [row[0] for row in rows] == ["no cap: this question", "up to 5", "up to 8", "up to 10"]
    assert [row[1] for row in rows] == ["59", "10", "16", "20"]
    assert [row[2] for row in rows] == ["1", "5.9", "3.69", "2.95"]
    assert [int(row[4]) for row in rows] == [round(cap.ties_lost) for cap in caps]
    assert "“up to 8” would tell the number of ties best" in found["sentences"][0]
    assert "Candor has no cap" in found["sentences"][0]


def test_a_short_roster_says_which_device_would_be_better_for_a_person():
    panel = words(ties(6, expected="2"))
    found = section(panel, "Other devices")
    errors = {row["cells"][0]: float(row["cells"][1][2:]) for row in found["rows"]}
    ways = {way.way: way for way in rr_engine.networks.compare_roster_devices(5, "5", 0.4)}
    assert errors["A bit for each name: this question"] == pytest.approx(
        WIDE * ways["independent"].tie_error, rel=0.01
    )
    assert (
        "even a draw among all sets of names would be more exact than bits"
        in (found["sentences"][0])
    )
    assert "bits at its epsilon are the best there is" in found["sentences"][0]
    assert not [each for each in words(ties()).sections if each["heading"].startswith("Other")]


def test_the_larger_of_longer_rosters_are_not_compared_but_planned():
    """700 is the largest epsilon that the engine compares for one person."""
    panel = words(ties(1_000, "4"))
    assert [each["heading"] for each in panel.sections] == [
        "How well the network will be known",
        "What the epsilon of a tie means",
    ]
    assert panel.error == ""


def test_members_who_do_not_answer_are_said():
    panel = words(ties(planned_n=45))
    assert panel.texts["number"].startswith("45 of 60 members are expected to answer.")
    assert "2,655 of 3,540 pairs are asked about" in panel.texts["number"]
    assert "Ties: among the pairs that somebody was asked about" in cells(
        section(panel, "How well")
    )
    whole = words(ties(planned_n=500))
    assert whole.texts["number"] == ("There are 60 members, and each is asked about 59 others.")


def test_the_frequencies_are_in_the_respondents_language():
    english = panel_of(draft=ties(), planned_n=60, language="en").texts["frequencies"]
    german = panel_of(draft=ties(), planned_n=60, language="de").texts["frequencies"]
    assert english == (
        "Of 100 names that are ticked, 73 are sent as ticked; of 100 that are not, 27."
    )
    assert "73" in german
    assert german != english


def test_more_ties_than_others_are_refused_with_both_numbers():
    assert words(ties(6, expected="7")).error == (
        "7 ties are expected of each member, and there are only 5 others. Expect fewer."
    )


def test_nearly_everybody_tied_can_still_be_planned():
    for members, expected in ((3, "2"), (6, "5"), (6, "4.9")):
        panel = words(ties(members, expected=expected))
        assert panel.error == ""
        assert all(len(row["cells"]) == 3 for row in section(panel, "How well")["rows"])


def test_without_a_roster_the_panel_says_what_to_do():
    panel = words(replace(ties(), members=0))
    assert panel.error.startswith("The figures follow from the roster.")
    assert panel.sections == []


def test_the_one_device_says_both_levels():
    (row,) = comparison_of(draft=ties(), planned_n=60).rows
    assert row.epsilon == "1 for one tie, 59 for all ties of a person"
    assert row.margin == "± 3.2 points"


@pytest.mark.parametrize("epsilon", ["1", "2", "3"])
@pytest.mark.parametrize(
    ("directed", "start", "names"),
    [
        (True, "one way", ("density", "mutual_ties", "reciprocity")),
        (False, "both ways", ("density", "triangles", "clustering")),
    ],
)
def test_the_guide_has_the_margins_of_the_panel(epsilon, directed, start, names):
    guide = (settings.BASE_DIR / "docs/guide/authors.md").read_text(encoding="utf-8")
    found = network_figures(NetworkGuess.of(ties(epsilon=epsilon, directed=directed)))
    shown = [
        share_margin(found.margin(name))
        if name in SHARES
        else f"± {statistic_text(name, found.margin(name), found.margin(name))}"
        for name in names
    ]
    assert f"| {start}, epsilon {epsilon} | {' | '.join(shown)} |" in guide


# --- on the page --------------------------------------------------------------------------------


def asked(survey, **values):
    typed = {"epsilon": "1", "directed": "True", "expected_ties": "4", **values}
    return typed_figures(survey.questions.get(), **typed)


@pytest.mark.django_db
def test_the_page_knows_the_roster_that_is_stored():
    survey = ties_draft(20)
    Survey.objects.update(planned_n=18)
    shown = asked(Survey.objects.get())
    assert shown.panel.error == ""
    assert shown.panel.figures["members"] == 20
    assert shown.panel.figures["answering"] == 18
    assert shown.fitting == ["tie_bits"]
    assert [row.name for row in shown.comparison.rows] == ["tie_bits"]
    one_way = shown.panel.figures["statistics"].keys()
    both_ways = asked(survey, directed="False").panel.figures["statistics"].keys()
    assert "reciprocity" in one_way - both_ways
    assert "triangles" in both_ways - one_way
    assert one_way & both_ways <= {*STATISTICS, DEGREE, "two_paths"}


@pytest.mark.django_db
def test_nobody_learns_the_size_of_another_authors_roster(client):
    survey = ties_draft(20)
    (question,) = survey.questions.all()
    sign_in(client, make_user("else", author=True))
    assert client.get(question_page(question)).status_code == 404
    own = make_survey(slug="own", owned_by=make_user("more", author=True))
    shown = typed_figures(own.questions.get(), kind="roster_ties", expected_ties="4")
    assert shown.panel.error.startswith("The figures follow from the roster.")


@pytest.mark.django_db
def test_the_direction_is_stored_and_a_refusal_is_not(client):
    survey = ties_draft(20)
    (question,) = survey.questions.all()
    typed = {"directed": "False", "expected_ties": "4.5", "prefer_not": "on"}
    assert write_question(sign_in(client), question, **typed)["errors"] == {}
    question.refresh_from_db()
    assert not question.directed
    assert not question.prefer_not
    assert question.design_parameters["expected_ties"] == "4.5"


@pytest.mark.django_db
@pytest.mark.slow
def test_a_wrong_setting_of_the_only_device_is_in_sight(client):
    (question,) = ties_draft(20).questions.all()
    answer = write_question(sign_in(client), question, expected_ties="x")
    assert list(answer["errors"]) == ["expected_ties"]
    options = opened(client, question).context["options"]
    assert "device" in [each.name for each in options["used"]]
    write_question(client, question, expected_ties="4")
    options = opened(client, question).context["options"]
    assert "device" in [each.name for each in options["unused"]]


@pytest.mark.django_db
def test_a_direct_question_about_ties_is_refused_at_its_field(client):
    survey = ties_draft(20)
    (question,) = survey.questions.all()
    answer = write_question(sign_in(client), question, randomized="False")
    assert "never stored as they are" in " ".join(answer["errors"]["randomized"])


@pytest.mark.django_db
def test_no_page_of_curves_or_searches_takes_a_roster(client):
    survey = ties_draft(20)
    (question,) = survey.questions.all()
    sign_in(client)
    compare, search = (
        client.get(reverse(f"admin:survey_{name}", args=[survey.pk, question.pk]))
        for name in ("compare", "workbench")
    )
    assert compare.status_code == 404
    assert search.context["form"] is None
    assert search.context["obstacle"]


@pytest.mark.django_db
def test_once_launched_the_figures_can_still_be_read(client):
    launch = launched_network(roster_rows(20), planned_n=20)
    html = sign_in(client).get(page(launch.survey)).text
    assert html.count("How well the network will be known") == 2 * 2
    assert "All ties that one member reports (person level)" in html
    for question in launch.survey.questions.filter(kind="roster_ties"):
        assert reverse("admin:survey_compare", args=[launch.survey.pk, question.pk]) not in html
