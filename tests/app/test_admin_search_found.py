"""The designs of a search: every number from the matrix by other means, files, adoption."""

import csv
import io
import json
import math

import numpy as np
import pytest

import rr_engine
from surveys import numbers
from surveys.admin.figures.search_words import (
    gap_words,
    guess_words,
    note_words,
    point_at,
    points_of,
)
from surveys.admin.figures.searches import front_figures
from surveys.authoring.workbench.searching import run_request
from surveys.jobs.lease import NO_LEASE
from surveys.models import DesignSearch
from surveys.services.launches import launch_survey
from tests.app.author_posts import sign_in
from tests.app.leased import LEASED
from tests.app.search_cases import CHOICE, OPTIONS, PRIOR, content, made, search_request
from tests.app.test_admin_search import address, drafted
from tests.app.visible_text import visible_text
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PI = np.array(list(map(float, PRIOR)))


def members(search, method="certified"):
    return search.content["fronts"][method]["members"]


def key(search, index=0, method="certified"):
    member_index = index % len(members(search, method))
    return f"{method}:{members(search, method)[member_index]['privacy']:.9f}:{member_index}"


def measures_of(matrix):
    """Privacy, worst posterior, epsilon: by their definitions (OptRR Eq. 8 and 9)."""
    joint = np.asarray(matrix) * PI
    beliefs = joint / joint.sum(axis=1, keepdims=True)
    high, low = np.asarray(matrix).max(axis=1), np.asarray(matrix).min(axis=1)
    epsilon = math.log((high / low).max()) if low.min() > 0 else math.inf
    return 1 - joint.max(axis=1).sum(), beliefs.max(), epsilon


def look(client, search, name="search", **query):
    return sign_in(client).get(address(search.question, name, search.pk), query)


def test_the_chosen_design_is_shown_with_its_numbers_beside_the_other_devices(client):
    search = made(drafted())
    detail = look(client, search, point=key(search)).context["detail"]
    member = members(search)[0]
    privacy, worst, epsilon = measures_of(member["matrix"])
    assert member["privacy"] == pytest.approx(privacy, abs=1e-9)
    cells_by_name = {row["name"]: row["cells"] for row in detail["rows"]}
    assert len(detail["columns"]) == 3
    assert cells_by_name["Best guess of an answer is wrong"][0] == f"{100 * privacy:.0f}\u00a0%"
    assert cells_by_name["Strongest belief after a report"][0] == f"{100 * worst:.0f}\u00a0%"
    assert float(cells_by_name["Epsilon"][0]) == pytest.approx(epsilon, abs=1.1e-3)
    assert cells_by_name["Different reports"] == [str(len(member["matrix"])), "4", "6"]
    k_rr = rr_engine.k_rr(OPTIONS, "1").quantized()
    margin = 100 * rr_engine.margin_of_error(k_rr, PI, 1000)
    assert cells_by_name["Margin of the least certain share"][1] == f"± {margin:.1f} points"
    assert (
        cells_by_name["Best guess of an answer is wrong"][1]
        == f"{100 * k_rr.privacy(PI):.0f}\u00a0%"
    )
    assert len(detail["matrix"]) == len(member["matrix"])
    assert detail["matrix"][0]["cells"] == [
        numbers.out_of_100(entry) for entry in member["matrix"][0]
    ]


def test_no_device_lies_beyond_the_bound_of_the_figure():
    search_content = content(None)
    figures = front_figures(
        search_request(epsilon=None), search_content, points_of(search_content), "How often?"
    )
    for measure, better in (("mse", min), ("efficiency", max)):
        traces = figures[measure]["data"]
        bound = next(trace for trace in traces if trace.get("fill"))
        for trace in traces:
            for x, y in zip(trace["x"], trace["y"], strict=True):
                if "customdata" not in trace or x is None:
                    continue
                edge = np.interp(x, bound["x"], bound["y"])
                at = max(index for index in range(len(bound["x"])) if bound["x"][index] <= x + 1e-9)
                assert better(y, bound["y"][at]) == bound["y"][at], (measure, x, y, edge)


def test_the_efficiency_is_that_of_open_answers():
    search_content = content(None)
    points = points_of(search_content)
    figures = front_figures(search_request(epsilon=None), search_content, points, "How often?")
    (front,) = [
        t for t in figures["efficiency"]["data"] if t.get("name") == "Any number of reports"
    ]
    open_answers = (1 - PI @ PI) / (4 * 1000)
    expected = [
        100 * open_answers / member["mse"]
        for member in search_content["fronts"]["certified"]["members"]
    ]
    assert front["y"] == pytest.approx(expected)


def test_where_a_bound_is_broken_the_familys_curve_has_a_gap():
    search_content = content()
    figures = front_figures(
        search_request(), search_content, points_of(search_content), "How often?"
    )
    (line,) = [t for t in figures["mse"]["data"] if t.get("name", "").startswith("Warner")]
    feasible = [point["feasible"] for point in search_content["family"]]
    assert [x is not None for x in line["x"]] == feasible
    assert 0 < sum(feasible) < len(feasible)


def test_the_status_tells_what_changed_and_only_that(client):
    search = made(drafted(), state="running", progress=0.4, content={})
    first = look(client, search, "search_status").json()
    assert (first["finished"], first["figures"]) == (False, None)
    names = {"status", "findings", "actions", "methods", "choices", "points"}
    assert set(first["parts"]) == names
    document = look(client, search, "search_status", have=first["stamp"]).json()
    assert set(document["parts"]) == {"status"}
    assert "40\u00a0%" in document["parts"]["status"]
    DesignSearch.objects.update(content=content(), progress=1, state="done", **NO_LEASE)
    done = look(client, search, "search_status", have=first["stamp"]).json()
    assert done["finished"]
    assert "What the search found" in done["parts"]["findings"]
    assert "What the search found" not in first["parts"]["findings"]
    assert set(done["figures"]) == {"mse", "efficiency"}
    assert done["parts"]["choices"].count("<option") == len(
        [point for point in points_of(content()) if point.method]
    )


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("queued", "Waiting for a worker. It starts by itself."),
        ("running", "Searching. Method 1 of 2: Any number of reports."),
        ("done", "Done. Look at the points below."),
        ("cancelled", "Stopped. Start again"),
        ("failed", "The search failed. Start again with other settings"),
        ("lost", "The search was lost. The program that ran it ended"),
    ],
)
def test_every_state_is_said_with_what_to_do(client, state, says):
    search_content = {} if state != "done" else content()
    search = made(
        drafted(), state=state, content=search_content, message="Too uneven." * (state == "failed")
    )
    text = " ".join(visible_text(look(client, search).text).split())
    assert says in text
    assert ("Too uneven." in text) == (state == "failed")


def test_a_point_is_found_by_its_privacy_however_the_front_moved(client):
    search = made(drafted())
    row = members(search)[-1]
    near = f"certified:{row['privacy'] - 1e-7}"
    assert point_at(points_of(search.content), near).row == row
    answer = look(client, search, "search_point", point=near).json()
    assert answer["key"] == key(search, -1)
    assert answer["figure"]["data"][0]["z"] == [[100 * x for x in line] for line in row["matrix"]]
    assert look(client, search, "search_point", point="magic:0.4").status_code == 404
    for none in ("x", "0.4:x", "nan", "inf", "-0.1", "40"):
        assert look(client, search, "search_point", point=f"certified:{none}").status_code == 404
        assert look(client, search, "search_adopt", point=f"certified:{none}").status_code == 404
    assert point_at(points_of(search.content), ":0.5") is None
    # Two that are equally private are still two.
    search.content["fronts"]["certified"]["members"] = [row, {**row, "mse": 2 * row["mse"]}]
    twins = [point for point in points_of(search.content) if point.method == "certified"]
    assert [point_at(twins, twin.key).index for twin in twins] == [0, 1]


def test_designs_of_a_front_read_differently(client):
    page = look(client, made(drafted()))
    groups = page.context["groups"]
    for group in groups:
        words = [option["words"] for option in group["options"]]
        assert len(set(words)) == len(words)


def test_designs_that_read_alike_are_one_and_others_are_numbered(client):
    """Only a processor's rounding tells them apart: the more accurate one stands for both."""
    search = made(drafted())
    search_content = search.content
    first, second, *others = search_content["fronts"]["certified"]["members"]
    noise = {"privacy": first["privacy"] + 1e-9, "mse": first["mse"] * (1 + 1e-9)}
    rare = {"worst_posterior": first["worst_posterior"] - 0.1, "privacy": first["privacy"] + 2e-9}
    members_with_noise = [first, {**first, **noise}, {**first, **rare}, second, *others]
    search_content["fronts"]["certified"]["members"] = members_with_noise
    search.save()
    points = [point for point in points_of(search_content) if point.method == "certified"]
    assert [point.index for point in points] == [0, 2, 3, *range(4, len(members_with_noise))]
    page = look(client, search)
    options = page.context["groups"][0]["options"]
    words = [option["words"] for option in options]
    assert len(set(words)) == len(words) == len(points)
    assert [line[-4:] for line in words[:2]] == [" (1)", " (2)"]
    assert words[0][:-4] == words[1][:-4]
    assert not words[2].endswith(")")
    counts = {method["label"]: method["count"] for method in page.context["methods"]}
    assert counts["Any number of reports"] == len(points)


def test_of_two_that_read_alike_the_more_accurate_one_stays():
    search_content = content()
    first = search_content["fronts"]["certified"]["members"][0]
    better = {**first, "mse": first["mse"] * (1 - 1e-9), "privacy": first["privacy"] + 1e-12}
    search_content["fronts"]["certified"]["members"] = [first, better]
    (point,) = [point for point in points_of(search_content) if point.method == "certified"]
    assert (point.index, point.row["mse"]) == (1, better["mse"])


def test_a_method_that_found_nothing_says_so_in_an_authors_words(client):
    search_content = content()
    del search_content["fronts"]["certified"]
    page = look(
        client,
        made(drafted(), content={**search_content, "notes": {"certified": "share_too_small"}}),
    )
    text = visible_text(page.text)
    assert "Put rare answers together" in text
    assert "prior must" not in text
    assert (
        note_words("no_feasible_device") == "It could not run: No device keeps all of these bounds."
    )


def test_bounds_that_put_every_design_in_one_line_are_explained(client):
    sentence = "no report changes the best guess"
    question = drafted()
    assert sentence not in visible_text(look(client, made(question)).text)
    # With 90 % of one answer and an epsilon of 0.1 everybody guesses that one after any report.
    tight = search_request(prior=["0.9", "0.05", "0.03", "0.02"], delta="0.95", epsilon="0.1")
    run_content = run_request({**tight, "methods": ["certified"]}, lambda *_: True)
    assert sentence in visible_text(
        look(client, made(question, request=tight, content=run_content)).text
    )


def test_long_answers_are_shortened_in_the_guess():
    labels = ["Never, not even a pencil or a sheet of paper", "Once", "Often", "Daily"]
    assert guess_words(search_request(labels=labels)) == (
        "Never, not even a pencil or a s… 50\u00a0% · Once 25\u00a0% · Often 15\u00a0% · "
        "Daily 10\u00a0%"
    )


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (0.0001, "under 0.1\u00a0%"),
        (0.0165, "1.7\u00a0%"),
        (0.25, "25\u00a0%"),
        (1.3521, "136\u00a0%"),
    ],
)
def test_a_gap_is_rounded_up(gap, text):
    assert gap_words(gap) == text


def test_adopting_says_what_changes_and_changes_it(client):
    search = made(drafted())
    page = look(client, search, "search_adopt", point=key(search))
    text = " ".join(visible_text(page.text).split())
    assert "Randomized response, epsilon 1" in text
    assert search.question.design_parameters == {}
    data = {"point": key(search)}
    answer = client.post(address(search.question, "search_adopt", search.pk), data, follow=True)
    assert "To undo it" in visible_text(answer.text)
    assert answer.context["chosen"] == key(search)
    search.question.refresh_from_db()
    question = search.question
    assert (question.design, question.design_parameters["run"]) == ("searched", search.pk)
    table = np.array(question.design_parameters["table"], dtype=float) / 2**32
    privacy, worst, epsilon = measures_of(table)
    assert privacy == pytest.approx(members(search)[0]["privacy"], abs=1e-6)
    assert worst <= 0.75
    assert epsilon <= float(question.epsilon) <= 1
    # Another one later, which reads differently.
    data = {"point": key(search, 0, "optrr")}
    both = look(client, search, "search_adopt", **data).context
    assert both["before"] != both["then"]
    client.post(address(question, "search_adopt", search.pk), data)
    question.refresh_from_db()
    assert question.design_parameters["method"] == "optrr"


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("launched", "has been launched"),
        ("infinite", "epsilon is infinite"),
        ("cap", "an epsilon of 8 at most"),
        ("answers", "has 3 answers now; this search was for 4"),
        ("running", "Wait until the search has ended"),
    ],
)
def test_what_cannot_be_adopted_says_why(client, case, says):
    question = drafted()
    search = made(question, None if case == "infinite" else "1")
    point = key(search)
    if case == "infinite":
        rows = members(search, "optrr")
        silent = next(i for i, row in enumerate(rows) if 0 in np.ravel(row["matrix"]))
        point = key(search, silent, "optrr")
    if case == "cap":
        members(search)[0]["epsilon"] = 8.5
        search.save()
    if case == "answers":
        type(question).objects.update(options=OPTIONS[:3])
    if case == "running":
        DesignSearch.objects.update(state="running", progress=0.5, **LEASED)
    if case == "launched":
        launch_survey(survey=question.survey, actor=None)
    page = look(client, search, point=point)
    assert says in page.context["detail"]["obstacle"]
    assert "disabled" in page.text
    assert ("none can be adopted" in visible_text(page.text)) == (case == "launched")
    if case not in ("cap", "running"):
        client.post(address(question, "search_adopt", search.pk), {"point": point})
        question.refresh_from_db()
        assert question.design == "k_rr"


def test_the_record_is_the_whole_search(client):
    search = made(drafted())
    response = look(client, search, "search_record")
    record = json.loads(response.text)
    assert record["content"] == search.content
    assert record["request"] == search.request
    assert (record["engine"], record["state"]) == (rr_engine.__version__, "done")
    assert f"health-q1-search-{search.pk}.json" in response["Content-Disposition"]


def test_the_table_has_every_point_of_every_curve(client):
    search = made(drafted(), None)
    rows = list(csv.DictReader(io.StringIO(look(client, search, "search_table").text)))
    assert list(rows[0]) == [
        *("series", "index", "reports", "privacy", "mse", "worst_posterior"),
        *("epsilon", "gap", "margin"),
    ]
    search_content = search.content
    by_series = {
        name: [row for row in rows if row["series"] == name] for name in ("bound", "optrr")
    }
    assert [float(row["mse"]) for row in by_series["bound"]] == [
        p["mse"] for p in search_content["bound"]
    ]
    for row, member in zip(by_series["optrr"], members(search, "optrr"), strict=True):
        privacy, worst, _epsilon = measures_of(member["matrix"])
        assert float(row["privacy"]) == pytest.approx(privacy, abs=1e-9)
        assert float(row["worst_posterior"]) == pytest.approx(worst, abs=1e-9)
        assert int(row["reports"]) == len(member["matrix"])
    infinite = [measures_of(member["matrix"])[2] == math.inf for member in members(search, "optrr")]
    assert [row["epsilon"] == "" for row in by_series["optrr"]] == infinite
    assert any(infinite)
    assert len(rows) == sum(
        [len(search_content["bound"]), len(search_content["family"])]
        + [len(front["members"]) for front in search_content["fronts"].values()]
    )


def test_cards_and_randomized_response_are_in_the_table_too(client):
    search = made(drafted())
    rows = list(csv.DictReader(io.StringIO(look(client, search, "search_table").text)))
    devices = {row["series"]: row for row in rows if row["series"] in ("k_rr", "cards")}
    design = rr_engine.k_rr(OPTIONS, "1").quantized()
    assert float(devices["k_rr"]["mse"]) == pytest.approx(design.mse(PI, 1000))
    assert int(devices["cards"]["reports"]) == 6


def test_a_search_without_content_yet_has_its_page_and_files(client):
    search = made(make_survey(questions=[CHOICE]).questions.get(), content={}, state="queued")
    page = look(client, search)
    assert page.context["detail"] is None
    assert "Nothing is found yet" in visible_text(page.text)
    assert len(look(client, search, "search_table").text.splitlines()) == 1
    assert json.loads(look(client, search, "search_record").text)["engine"] is None
