"""The page of a pilot's clusters: the estimate, the proposal, the author's own, the main survey."""

from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.features.pilots import clusters as clustering
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.settings import is_pilot
from surveys.models import Survey
from surveys.services.launches import launch_survey
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.app.kept import kept_once
from tests.app.pilots import (
    CHOICE,
    PLANTED,
    QUESTIONS,
    answered,
    main_surveys,
    pilot_launch,
    planted_run,
    run_now,
)
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
NAMES = ["q1", "q2", "q3", "q4", "q5"]


kept = kept_once(lambda: answered(pilot_launch(release_threshold=5, planned_n=300), 150))


@pytest.fixture
def run(launch):
    return planted_run(launch)


def posted(run, clusters=(), **changes):
    number = {name: place for place, names in enumerate(clusters, 1) for name in names}
    chosen = {f"cluster-{name}": str(number.get(name, 5)) for name in NAMES}
    plan = {"run": run.pk, "total": "6", "planned_n": "1000", "method": "best", "k": ""}
    return {**plan, "action": "recalculate", **chosen, **changes}


def recalculated(client, run, clusters=(), **changes):
    return sign_in(client).post(
        page(run.launch.survey, "clusters"), posted(run, clusters, **changes)
    )


def make(client, run, clusters=PLANTED, **changes):
    address = page(run.launch.survey, "main_survey")
    return sign_in(client).post(address, posted(run, clusters, **changes))


def clusters_of(response):
    return [[q.name for q in row["figures"].questions] for row in response.context["rows"]]


def test_the_button_queues_an_estimate_and_the_page_shows_its_progress(client, launch):
    address = page(launch.survey, "clusters")
    assert "Nothing is estimated yet" in visible_text(sign_in(client).get(address).text)
    assert client.post(page(launch.survey, "clusters_start")).url == address
    run = DependenceRun.objects.get()
    assert (run.state, run.created_by, run.digest) == ("queued", launch.survey.owner, launch.digest)
    shown = client.get(address)
    status = reverse("admin:survey_clusters_status", args=[launch.survey_id, run.pk])
    assert f'data-status="{status}"' in shown.text
    answer = client.get(status).json()
    assert (answer["state"], answer["finished"]) == ("queued", False)
    assert "<progress" in answer["parts"]["status"]
    client.post(page(launch.survey, "clusters_start"))
    assert DependenceRun.objects.count() == 1
    stop = reverse("admin:survey_clusters_stop", args=[launch.survey_id, run.pk])
    assert client.post(stop).url == address
    assert client.get(status).json()["state"] == "cancelled"


def test_the_page_draws_the_graph_and_proposes_the_planted_clusters(client, run):
    shown = sign_in(client).get(page(run.launch.survey, "clusters"))
    assert clusters_of(shown) == PLANTED
    graph = shown.context["graph"]
    assert [node.name for node in graph.nodes] == ["q1", "q3", "q5", "q2", "q4"]
    assert sum(edge.within for edge in graph.edges) == 4
    assert graph.words.startswith("The strongest: ")
    heat = shown.context["heat"]
    assert [(name, len(cells)) for name, cells in heat] == [
        ("q2", 1),
        ("q3", 2),
        ("q4", 3),
        ("q5", 4),
    ]
    values = {(row["first"], row["second"]): row["value"] for row in run.content["pairs"]}
    assert heat[1][1][0].value == f"{values['q1', 'q3']:.2f}"
    rows = shown.context["rows"]
    assert [row["figures"].cells for row in rows] == [2 * 3 * 2, 2 * 3]
    # Epsilon 4 of the budget for five questions with equal parts.
    assert [row["figures"].epsilon for row in rows] == [Decimal("2.4"), Decimal("1.6")]
    assert not shown.context["plan"].problems
    assert [field.value() for field in shown.context["form"].choices()] == ["1", "2", "1", "2", "1"]


def test_clusters_are_recalculated_as_the_author_chose_them(client, run):
    shown = recalculated(client, run, [["q1", "q2"], ["q3"], ["q4", "q5"]], total="5")
    assert clusters_of(shown) == [["q1", "q2"], ["q3"], ["q4", "q5"]]
    assert shown.context["plan"].kept < 0.4
    singles = recalculated(client, run, [[name] for name in NAMES]).context["rows"]
    assert [row["margins"]["pair"] for row in singles] == ["–"] * 5


@pytest.mark.parametrize("method", ["pic", "hierarchical", "spectral"])
def test_a_number_of_clusters_and_a_method_can_be_chosen(client, run, method):
    shown = recalculated(client, run, action="propose", method=method, k="2")
    assert clusters_of(shown) == PLANTED
    form = shown.context["form"]
    assert (form["k"].value(), form["method"].value(), form["total"].value()) == (2, method, "6")
    assert len(clusters_of(recalculated(client, run, action="propose", method=method, k="5"))) == 5


def test_a_proposal_fits_the_planned_respondents(client, run):
    shown = recalculated(client, run, action="propose", planned_n="7")
    assert all(row["figures"].cells <= 7 for row in shown.context["rows"])
    alone = recalculated(client, run, action="propose", planned_n="2")
    assert clusters_of(alone) == [[name] for name in NAMES]


def test_what_a_cluster_with_too_many_combinations_would_lose_is_said(client, run):
    shown = recalculated(client, run, [NAMES], planned_n="40")
    (row,) = shown.context["rows"]
    assert row["figures"].cells == 72
    assert row["figures"].merger.cells <= 40
    assert 0 <= row["figures"].merger.lost <= row["figures"].merger.before
    text = visible_text(shown.text)
    assert "has 72 combinations of answers for 40 planned respondents" in text
    assert "Up to 40 combinations fit" in text
    assert "are lost:" in text


def test_a_cluster_whose_table_will_be_coarse_is_warned_of(client, run):
    words = "72 combinations of answers for 100 planned respondents, fewer than 10 for each"
    assert words in visible_text(recalculated(client, run, [NAMES], planned_n="100").text)
    assert "fewer than 10 for each" not in recalculated(client, run, [NAMES], planned_n="720").text


def test_a_cluster_beyond_all_devices_is_refused_in_words(client, monkeypatch):
    many = [{**CHOICE, "options": [str(option) for option in range(10)]} for _ in range(8)]
    run = run_now(answered(pilot_launch(slug="many", questions=many, release_threshold=5), 150))
    data = {"run": run.pk, "total": "4", "planned_n": "2000", "action": "recalculate"}
    data |= {f"cluster-q{number}": "1" for number in range(1, 9)}
    shown = sign_in(client).post(page(run.launch.survey, "clusters"), data)
    (row,) = shown.context["rows"]
    assert row["figures"].cells == 10**8
    assert row["margins"] == dict.fromkeys(("answer", "pair", "cell"), "–")
    assert row["figures"].merger.cells <= 2_000
    monkeypatch.setattr(clustering, "MOST_MERGED", 1_000)
    (quick,) = client.post(page(run.launch.survey, "clusters"), data).context["rows"]
    assert quick["merger"] is None
    assert "has more than 1,048,576 combinations" in visible_text(shown.text)


BAD_PLANS = [
    ({"total": "0"}, "total", "greater than or equal to 0.05"),
    ({"total": "101"}, "total", "less than or equal to 100"),
    ({"total": "much"}, "total", "Enter a number"),
    ({"planned_n": "1"}, "planned_n", "greater than or equal to 2"),
    ({"planned_n": "9" * 30}, "planned_n", "less than or equal to"),
    ({"cluster-q2": "6"}, "cluster-q2", "Select a valid choice"),
    ({"cluster-q2": ""}, "cluster-q2", "required"),
    ({"action": "propose", "k": "6"}, "k", "less than or equal to 5"),
    ({"action": "propose", "k": "0"}, "k", "greater than or equal to 1"),
    ({"action": "propose", "method": "magic"}, "method", "Select a valid choice"),
]


def test_bad_input_is_named_by_field(client, run):
    """All in one test: a run of a pilot takes longer to make than a page to ask."""
    for changes, field, says in BAD_PLANS:
        response = recalculated(client, run, **changes)
        assert response.status_code == 200, changes
        assert says in " ".join(response.context["form"].errors[field]), changes
        assert response.context["plan"] is None, changes
        made = make(client, run, **{**changes, "action": ""})
        assert made.status_code in (200, 302), changes
        if "action" not in changes:
            assert not main_surveys(run.launch.survey).exists(), changes


def test_a_run_that_is_none_of_this_survey_is_not_found(client, run):
    sign_in(client)
    for number in ("0", "99999999999999999999", "x", "-1"):
        data = {**posted(run), "run": number}
        assert client.post(page(run.launch.survey, "clusters"), data).status_code == 404, number
    other = run_now(answered(pilot_launch(slug="other", release_threshold=5), 120))
    address = page(run.launch.survey, "clusters")
    assert client.get(f"{address}?run={other.pk}").status_code == 404


def test_the_main_survey_has_the_clusters_as_groups(client, run):
    pilot = run.launch.survey
    before = Survey.objects.filter(pk=pilot.pk).values().get()
    questions = list(pilot.questions.values())
    response = make(client, run, total="5", planned_n="900")
    made = main_surveys(pilot).get()
    assert response.url == page(made)
    assert (made.title, made.slug) == ("Health at work: main survey", "health-main")
    assert (is_pilot(made), made.state, made.budget, made.planned_n) == (False, "draft", 5, 900)
    rows = [(row.name, row.group, row.epsilon) for row in made.questions.all()]
    assert rows == [
        ("q1", 1, 1),
        ("q3", 1, 1),
        ("q5", 1, 1),
        ("q2", 2, 1),
        ("q4", 2, 1),
        ("where", None, None),
    ]
    assert Survey.objects.filter(pk=pilot.pk).values().get() == before
    assert list(pilot.questions.values()) == questions
    launched_main = launch_survey(survey=made, actor=None)
    assert [device.id for device in launched_main.parameters.devices] == [
        "group_1",
        "group_4",
        "where",
    ]


def test_a_question_that_is_a_cluster_by_itself_has_no_group(client, run):
    make(client, run, [["q1"], ["q2", "q4"], ["q3"], ["q5"]])
    made = main_surveys(run.launch.survey).get()
    groups = made.questions.values_list("name", "group")
    assert list(groups) == [
        ("q1", None),
        ("q2", 1),
        ("q4", 1),
        ("q3", None),
        ("q5", None),
        ("where", None),
    ]


def test_epsilons_keep_their_proportions_and_never_exceed_the_total(client):
    questions = [{**QUESTIONS[0], "epsilon": Decimal(epsilon)} for epsilon in ("1", "1.5", "0.7")]
    values = {"pilot": True, "budget": Decimal(3), "release_threshold": 5, "planned_n": 900}
    launch = launched(slug="proportions", questions=questions, **values)
    run = run_now(answered(launch, 150))
    data = {"run": run.pk, "total": "1", "planned_n": "900"}
    data |= {f"cluster-q{number}": "1" for number in (1, 2, 3)}
    sign_in(client).post(page(launch.survey, "main_survey"), data)
    made = main_surveys(launch.survey).get()
    epsilons = list(made.questions.values_list("epsilon", flat=True))
    assert epsilons == [Decimal("0.3125"), Decimal("0.4687"), Decimal("0.2187")]
    assert sum(epsilons) <= made.budget == 1


@pytest.mark.parametrize(
    ("clusters", "changes", "says"),
    [
        ([NAMES], {"planned_n": "40"}, "Up to 40 combinations fit"),
        ([NAMES], {"total": "9"}, "The epsilons of group 1 add up to 9"),
        (PLANTED, {"total": "50"}, "a question has an epsilon of 10"),
    ],
)
def test_what_breaks_the_rules_of_groups_is_not_made(client, run, clusters, changes, says):
    response = make(client, run, clusters, **changes)
    assert response.status_code == 200
    assert says in visible_text(response.text)
    assert not main_surveys(run.launch.survey).exists()


def test_pilot_and_main_survey_link_to_each_other(client, run):
    make(client, run)
    made = main_surveys(run.launch.survey).get()
    make(client, run)
    assert Survey.objects.filter(slug="health-main-2").exists()
    address = page(run.launch.survey, "clusters")
    assert f'href="{address}"' in client.get(page(made)).text
    assert f'href="{page(made)}"' in client.get(address).text
    # A copy of the main survey was not made from the pilot.
    client.post(page(made, "clone"))
    copy = Survey.objects.latest("pk")
    assert copy not in main_surveys(run.launch.survey)
    Survey.objects.filter(pk=made.pk).update(owner=make_user("colleague", author=True))
    assert f'href="{page(made)}"' not in client.get(address).text


def test_the_main_survey_stays_when_its_pilot_is_deleted(client, run):
    make(client, run)
    pilot = run.launch.survey
    close_survey(survey=pilot, actor=None)
    Survey.objects.filter(pk=pilot.pk).update(state="deleted")
    made = Survey.objects.get(slug="health-main")
    assert client.get(page(made)).context["ribbon_words"] == []
    Survey.everything.get(pk=pilot.pk).delete()
    assert client.get(page(made)).context["ribbon_words"] == []


def test_only_a_launched_pilot_has_the_page(client):
    draft = make_survey(slug="draft", pilot=True, questions=[{}, {}, {}])
    plain = launched(slug="plain").survey
    sign_in(client)
    for survey in (draft, plain):
        assert client.get(page(survey, "clusters")).url == page(survey)
        client.post(page(survey, "clusters_start"))
        assert client.post(page(survey, "main_survey"), {}).status_code == 404
        assert page(survey, "clusters") not in client.get(page(survey)).text
    assert not DependenceRun.objects.exists()


def test_others_do_not_reach_it(client, run):
    survey = run.launch.survey
    status = reverse("admin:survey_clusters_status", args=[survey.pk, run.pk])
    sign_in(client, make_user("colleague", author=True))
    assert client.get(page(survey, "clusters")).status_code == 404
    assert client.get(status).status_code == 404
    assert client.post(page(survey, "clusters_start")).status_code == 404
    assert make_is_refused(client, run)
    reader = make_user("reader")
    survey.researchers.add(reader)
    sign_in(client, reader)
    assert client.get(page(survey, "clusters")).status_code == 302
    assert Survey.objects.count() == 1


def make_is_refused(client, run):
    address = page(run.launch.survey, "main_survey")
    return client.post(address, posted(run, PLANTED)).status_code == 404


def test_an_earlier_estimate_can_be_read_again(client, launch, run):
    second = run_now(answered(launch, 200, seed=3))
    address = page(launch.survey, "clusters")
    assert sign_in(client).get(address).context["run"] == second
    earlier = client.get(f"{address}?run={run.pk}")
    assert earlier.context["run"] == run
    assert "From 150 responses" in visible_text(earlier.text)


def test_an_estimate_of_an_earlier_format_asks_for_another(client, launch, run):
    run.content["format"] = 1
    run.save(update_fields=["content"])
    answer = sign_in(client).get(page(launch.survey, "clusters"))
    assert answer.status_code == 200
    assert "An earlier version of Candor made this estimate" in answer.text
    assert "Estimate again" in answer.text
    assert "form" not in answer.context


def test_pairs_below_the_threshold_are_marked(client):
    run = run_now(answered(pilot_launch(slug="marked", release_threshold=60), 600, seed=4))
    hidden = [row for row in run.content["pairs"] if not row["n"]]
    shown = sign_in(client).get(page(run.launch.survey, "clusters"))
    cells = [cell.value for _name, row in shown.context["heat"] for cell in row]
    assert cells.count("–") == len(hidden) > 0
    assert "fewer than 60 responses are not shown" in visible_text(shown.text)


def test_long_names_differ_in_the_graph(client):
    questions = [{**QUESTIONS[0], "name": f"a_name_without_end_{number}"} for number in range(3)]
    run = run_now(answered(pilot_launch(slug="long", questions=questions, release_threshold=5), 90))
    shown = sign_in(client).get(page(run.launch.survey, "clusters"))
    names = {node.name for node in shown.context["graph"].nodes}
    assert names == {"a_name…_end_0", "a_name…_end_1", "a_name…_end_2"}
    assert [name for name, _cells in shown.context["heat"]] == [
        "a_name_without_end_1",
        "a_name_without_end_2",
    ]
