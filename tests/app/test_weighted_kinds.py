"""Weighted numbers of several answers, of means and of cross-tables, and their download."""

import csv
import io
import json
from decimal import Decimal

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

import rr_engine
from surveys.parameters.exact import channel_of
from surveys.services.results import refresh_results
from tests.app.programs import run_python
from tests.app.test_analysis_fits import QUESTIONS, people, survey_of
from tests.app.test_docs import DOCS, fenced_block
from tests.app.test_weighted_results import WEIGHTING, compute
from tests.browser.test_respond_number import AGE, HOURS
from tests.plain import content_of
from tests.released import answer, as_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

TABLES = [["drug", "region"], ["stress", "region"]]
SEVERAL = (
    {
        "name": "took",
        "kind": "multiple_choice",
        "options": ["Pills", "Drinks"],
        "design": "per_option",
        "epsilon": Decimal(2),
    },
    {
        "name": "saw",
        "kind": "multiple_choice",
        "options": ["Theft", "Fraud"],
        "design": "whole_set",
        "epsilon": Decimal(2),
    },
    {
        "name": "reads",
        "kind": "multiple_choice",
        "options": ["Books", "Papers"],
        "randomized": False,
        "required": False,
    },
    {**AGE, "name": "age", "epsilon": Decimal(2)},
    {**HOURS, "name": "hours", "epsilon": Decimal(2)},
    QUESTIONS[2],
)


def several_rows(count):
    """Reports to SEVERAL; two people leave out what they read, and four read books."""
    rows = []
    for number in range(count):
        row = {
            "took_1": number % 2,
            "took_2": int(number % 3 == 0),
            "saw": number * number % 4,
            "age": number * 5 % 4,
            "hours": number // 2 % 2,
            "region": number % 5 % 3,
        }
        if number > 1:
            row |= {"reads_1": int(number < 6), "reads_2": number % 2}
        rows.append(row)
    return rows


def raked(rows):
    sample = rr_engine.SurveySample(n=len(rows))
    return rr_engine.sampling.rake(sample, [[row["region"] for row in rows]], [[0.6, 0.3, 0.1]])


def devices_of(launch):
    parameters = launch.parameters
    return {
        device.id: channel_of(device, parameters.question(device.questions[0]))
        for device in parameters.devices
    }


def numbers_of(shares):
    return [(share["estimate"], share["standard_error"], *share["interval"]) for share in shares]


def wanted_row(found, place):
    """An error that vanishes beside an interval is not told."""
    error = found.standard_errors[place]
    return (found.values[place], error if error > 1e-9 else None, *found.interval()[place])


@pytest.fixture
def several():
    return survey_of(
        several_rows(60),
        questions=SEVERAL,
        analyses=[],
        weighting=WEIGHTING,
        budget=Decimal(20),
        results_public=True,
    )


def rows_of_base(launch):
    """The people of weighted numbers: two left a question out, and the first five of the others
    are left out with them, so that no difference is about fewer than the threshold of five."""
    contents = launch.report_sets.order_by("pk").values_list("content", flat=True)
    complete = [content["reports"] for content in contents if "reads_1" in content["reports"]]
    return complete[5:]


def test_every_option_has_the_librarys_share_whichever_device_it_was_asked_with(several):
    launch = several
    found, rows = compute(launch).content["questions"], rows_of_base(launch)
    devices, sample = devices_of(launch), raked(rows)
    for option in (1, 2):
        reports = [row[f"took_{option}"] for row in rows]
        wanted = rr_engine.estimate_weighted(devices[f"took_{option}"], reports, sample)
        assert numbers_of(found["took"]["categories"])[option - 1] == pytest.approx(
            wanted_row(wanted, 1)
        )
    ticks = [[code for code in range(4) if code >> option & 1] for option in (0, 1)]
    for option, ticked in enumerate(ticks):
        groups = [[code for code in range(4) if code not in ticked], ticked]
        device = devices["saw"].coarsened(groups, groups)
        reports = [int(row["saw"] in ticked) for row in rows]
        wanted = rr_engine.estimate_weighted(device, reports, sample)
        assert numbers_of(found["saw"]["categories"])[option] == pytest.approx(
            wanted_row(wanted, 1)
        )


def test_two_who_left_a_direct_question_out_are_in_no_weighted_number_and_a_few_are_not_told(
    several,
):
    launch = several
    content = compute(launch).content
    assert content["n"] == 60 - 2 - 5
    books, papers = content["questions"]["reads"]["categories"]
    assert books["estimate"] is None
    assert papers["estimate"] == pytest.approx(0.5, abs=0.2)
    assert content_of(launch)["left_out"] == {"people": 7, "withheld": False}


def test_numbers_have_their_weighted_mean(several):
    launch = several
    found, rows = compute(launch).content["questions"], rows_of_base(launch)
    devices, sample = devices_of(launch), raked(rows)
    hours = rr_engine.estimate_weighted(devices["hours"], [row["hours"] for row in rows], sample)
    assert numbers_of([found["hours"]["mean"]])[0] == pytest.approx(
        [60 * value for value in wanted_row(hours, 1)]
    )
    assert found["hours"]["categories"] == []
    ages = rr_engine.estimate_weighted(devices["age"], [row["age"] for row in rows], sample)
    shares, middles = ages.values[:3], np.array([23.5, 47, 82])
    assert found["age"]["mean"]["estimate"] == pytest.approx(shares @ middles / shares.sum())


def test_the_page_and_the_summary_show_them_and_the_file_has_them(several):
    launch = several
    compute(launch)
    client, slug = Client(), launch.survey.slug
    for name in ("results", "summary-html"):
        page = client.get(reverse(name, args=[slug])).text
        assert page.count("Weighted mean") == 2
        assert 'id="weighted-took"' in page
        assert 'id="weighted-hours"' not in page


# --- scales and tables --------------------------------------------------------------------------


@pytest.fixture
def crossed():
    rows = people(120)
    return survey_of(rows, weighting=WEIGHTING, cross_tables=TABLES, results_public=True), rows


def test_a_scale_has_its_weighted_mean_score(crossed):
    launch, rows = crossed
    found = compute(launch).content["questions"]
    asked, weights = np.array([row["stress"] + 1 for row in rows]), raked(rows).weights
    assert found["stress"]["mean"]["estimate"] == pytest.approx(np.average(asked, weights=weights))
    scores = rr_engine.sampling.value_scores(asked.astype(float))
    direct = rr_engine.sampling.estimate_mean(scores, raked(rows))
    mean = found["stress"]["mean"]
    assert mean["standard_error"] == pytest.approx(direct.standard_errors[0])
    assert mean["interval"] == pytest.approx(direct.interval()[0])
    assert found["mood"]["mean"]["estimate"] == pytest.approx(2, abs=0.5)
    assert found["region"]["mean"] is None


def test_a_table_is_the_librarys(crossed):
    launch, rows = crossed
    found = compute(launch).content["tables"]["drug,region"]
    groups = rr_engine.sampling.report_scores(
        rr_engine.designs.direct(3), [row["region"] for row in rows]
    )
    drug = rr_engine.sampling.report_scores(
        devices_of(launch)["drug"], [row["drug"] for row in rows]
    )
    wanted = rr_engine.sampling.estimate_weighted_table(groups, drug, raked(rows))
    within = wanted.shares_within(0)
    for key, values, ends in (
        ("cells", wanted.proportions, wanted.interval()),
        ("conditional", within.values, within.ends),
    ):
        cells = found[key]
        assert np.array([[cell["estimate"] for cell in row] for row in cells]) == pytest.approx(
            values
        )
        assert np.array([[cell["interval"] for cell in row] for row in cells]) == pytest.approx(
            ends
        )
    assert found["independence"]["p_value"] == pytest.approx(wanted.independence().p_value)
    assert (found["n"], found["groups"]) == (120, [[0], [1], [2]])


def test_a_table_is_shown_once_it_is_computed_and_downloaded(crossed):
    launch, _ = crossed
    client, address = Client(), reverse("results", args=[launch.survey.slug])
    assert "Weighted test of association" not in client.get(address).text
    assert client.get(reverse("weighted-csv", args=[launch.survey.slug])).status_code == 503
    content = compute(launch).content
    page = client.get(address).text
    assert page.count("Weighted test of association") == 2
    assert 'id="weighted-drug-by-region"' in page
    response = client.get(reverse("weighted-csv", args=[launch.survey.slug]))
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode())))
    (north,) = (
        row
        for row in rows
        if (row["question"], row["group"], row["answer"]) == ("drug", "North", "Yes")
        and row["share_of"] == "group"
    )
    cell = content["tables"]["drug,region"]["conditional"][0][1]
    assert float(north["estimate"]) == cell["estimate"]
    assert [float(north[name]) for name in ("low", "high")] == cell["interval"]
    assert float(north["design_effect"]) == content["design_effect"]
    assert [row["answer"] for row in rows if row["share_of"] == "number"] == ["mean", "mean"]


def test_the_program_of_the_guide_gives_the_same_numbers(crossed, tmp_path):
    launch, _ = crossed
    content = compute(launch).content
    files = []
    for name in ("results-parameters", "reports-csv"):
        response = as_researcher(Client(), launch).get(reverse(name, args=[launch.survey.slug]))
        files.append(tmp_path / name)
        files[-1].write_bytes(b"".join(response) if response.streaming else response.content)
    program = fenced_block(DOCS / "guide" / "researchers.md", "python weighted")
    first, *lines = map(json.loads, run_python(program, *files).splitlines())
    assert first["design_effect"] == pytest.approx(content["design_effect"], rel=1e-12)
    assert len(lines) == 6
    for line in lines:
        if line["id"] in content["questions"]:
            rows = [content["questions"][line["id"]]["categories"]]
            line |= {key: [line[key]] for key in ("estimate", "interval")}
        else:
            rows = content["tables"][line["id"]]["conditional"]
        if rows[0][0]["fixed"]:
            assert line["interval"] == [None]
            line["interval"] = [[[np.nan] * 2] * len(rows[0])]
        for key in ("estimate", "interval"):
            found = np.array([[share[key] for share in row] for row in rows], dtype=float)
            assert found == pytest.approx(np.array(line[key]), abs=1e-12, nan_ok=True)


def test_what_a_table_does_not_show_is_not_weighted_either():
    rows = [row for row in people(150) if (row["stress"], row["region"]) != (2, 1)]
    rows += [{"drug": 0, "mood": 0, "region": 1, "stress": 2}] * 2
    launch = survey_of(rows, weighting=WEIGHTING, cross_tables=TABLES)
    assert content_of(launch)["tables"][1]["notes"] == ["small_cells"]
    assert set(compute(launch).content["tables"]) == {"drug,region"}


def test_who_is_in_a_pair_of_strata_of_a_few_is_in_no_table():
    drug = {**QUESTIONS[0], "prefer_not": True, "physical_device": "die"}
    rows = people(90)
    launch = survey_of(
        rows, questions=(drug, *QUESTIONS[1:]), weighting=WEIGHTING, cross_tables=TABLES[:1]
    )
    # Eight threw the die, and of these three say where they live.
    thrown = [{"drug": number % 3, "mood": 0, "stress": number % 3} for number in range(8)]
    answer(launch, [{**row, "region": 0} for row in thrown[:3]], drug="physical")
    answer(launch, thrown[3:], drug="physical")
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    table = content_of(launch)["tables"][0]
    content = compute(launch).content
    # They are in no joint number, and two others with them: that makes five, the threshold.
    assert (table["n"], table["suppressed"]) == (90 - 2, 0)
    assert content["tables"]["drug,region"]["n"] == 90 - 2
    assert content["questions"]["drug"]["n"] == 98 - 5


def test_rare_groups_count_together_as_in_the_table():
    rows = [row for row in people(120) if row["region"] < 2]
    rows += [{**row, "region": 2} for row in people(3, seed=1)]
    launch = survey_of(rows, weighting=WEIGHTING, cross_tables=TABLES[:1])
    table = content_of(launch)["tables"][0]
    found = compute(launch).content["tables"]["drug,region"]
    assert len(found["groups"]) == len(table["group_labels"]) == 2
