"""The files of a survey with question groups, and what the guide's programs make of them."""

import csv
import io
import json

import numpy as np
import pytest
from django.urls import reverse

from surveys.parameters import joint_of_all, read
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.plain import results_document
from tests.released import download, grouped_rows, rich, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

NAMES = ["drug", "drink", "stress"]
SHAPE = (2, 3, 4)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# --- reports ------------------------------------------------------------------------------------


def test_a_person_has_a_column_for_each_question_of_a_group(client):
    rows = rows_of(download(client, with_groups(90, linkage="together"), "reports-csv"))
    assert list(rows[0]) == ["team", *NAMES, "shift", "in.tables"]
    sent = sorted([row["team"], *row["group_2"], row["shift"], 1] for row in grouped_rows(90))
    assert sorted([int(cell) for cell in row.values()] for row in rows) == sent


def test_kept_apart_a_group_is_still_one_report(client):
    """The number of the combination, of which the last question runs fastest."""
    rows = rows_of(download(client, with_groups(90, linkage="apart"), "reports-csv"))
    of_group = [row for row in rows if row["variable"] == "group_2"]
    assert len(of_group) == 90
    codes = [list(map(int, np.unravel_index(int(row["code"]), SHAPE))) for row in of_group]
    assert sorted(codes) == sorted(row["group_2"] for row in grouped_rows(90))
    for row, (drug, drink, stress) in zip(of_group, codes, strict=True):
        assert row["report"] == f"{'AB'[drug]} {'ABC'[drink]} {'ABCD'[stress]}"
    assert {row["variable"] for row in rows} == {"team", "group_2", "shift"}


def test_labels_and_codebook_have_every_question_of_a_group(client):
    launch = with_groups(40, linkage="together")
    columns = json.loads(download(client, launch, "reports-codebook-json"))["columns"]
    labels = {column["name"]: column for column in columns}
    assert labels["drink"]["label"] == "What do you drink?"
    assert [value["label"] for value in labels["drink"]["values"]] == ["A", "B", "C"]
    entries = rows_of(download(client, launch, "codebook-csv"))
    drink = [row for row in entries if row["variable"] == "drink" and not row["missing"]]
    assert [row["likeliest_from"] for row in drink] == ["Tea", "Wine", "Gin"]
    assert not [row for row in entries if row["variable"] == "group_2"]


# --- combinations -------------------------------------------------------------------------------


def test_the_file_of_combinations_has_all_of_them(client):
    launch = with_groups(300)
    rows = rows_of(download(client, launch, "combinations-csv"))
    (group,) = launch.results.get().content["groups"]
    published = {tuple(cell["codes"]): cell for cell in group["cells"]}
    assert [tuple(map(int, row["codes"].split())) for row in rows] == list(np.ndindex(SHAPE))
    for row in rows:
        cell = published[tuple(map(int, row["codes"].split()))]
        assert (row["group"], row["n"]) == ("group_2", "300")
        assert float(row["estimate"]) == cell["estimate"]
        assert [float(row["low"]), float(row["high"])] == cell["interval"]
        assert int(row["reported"]) == cell["reported"]
        error = cell["standard_error"]
        assert row["standard_error"] == ("" if error is None else str(error))
    assert rows[0]["answers"] == "No | Tea | Low"
    assert sum(int(row["reported"]) for row in rows) == 300


def test_every_pair_of_a_group_is_among_the_estimated_shares(client):
    launch = with_groups(200)
    rows = rows_of(download(client, launch, "estimates-csv"))
    (group,) = launch.results.get().content["groups"]
    for pair in group["pairs"]:
        cells = [
            row
            for row in rows
            if (row["question"], row["group_by"]) == (pair["outcome"], pair["group"])
        ]
        expected = [cell["estimate"] for row in pair["cells"] for cell in row]
        everybody = [row for row in cells if row["share_of"] == "everybody"]
        assert [float(row["estimate"]) for row in everybody] == expected


def test_below_the_threshold_there_is_no_file_of_combinations(client):
    launch = with_groups(19)
    for name in ("combinations-csv", "combinations-codebook-json"):
        expected = client.get(reverse("estimates-csv", args=[launch.survey.slug]))
        refused = client.get(reverse(name, args=[launch.survey.slug]))
        assert refused.status_code == expected.status_code == 403
        assert "group_2" not in refused.content.decode()


def test_a_survey_without_groups_has_no_such_file(client):
    launch = rich(40)
    for name in ("combinations-csv", "combinations-codebook-json"):
        assert client.get(reverse(name, args=[launch.survey.slug])).status_code == 404
    page = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "combinations.csv" not in page


# --- to the last digit --------------------------------------------------------------------------


def recomputed(client, launch, folder):
    files = [folder / name for name in ("parameters.json", "reports.csv")]
    for file, name in zip(files, ("results-parameters", "reports-csv"), strict=True):
        file.write_text(download(client, launch, name), encoding="utf-8", newline="")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python recompute")
    lines = map(json.loads, run_python(program, *files).splitlines())
    return {line["id"]: line for line in lines}


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_program_of_the_guide_gives_every_number_of_a_group(client, tmp_path, linkage):
    # A question of the group with one that is alone.
    tables = {"cross_tables": [["drink", "shift"]]} if linkage == "together" else {}
    launch = with_groups(300, linkage=linkage, **tables)
    document = json.loads(download(client, launch, "results-json"))
    lines = recomputed(client, launch, tmp_path)
    (group,) = document["groups"]
    crossed = [*group["pairs"], *document["tables"]]
    assert len(crossed) == 3 + (linkage == "together")
    questions = {entry["id"] for entry in document["questions"]}
    assert set(lines) == questions | {"group_2"} | {table["id"] for table in crossed}
    for question in document["questions"]:
        for key in set(lines[question["id"]]) - {"id", "n", "mean"}:
            published = [row[key] for row in question["categories"]]
            assert lines[question["id"]][key] == published, key
    for cell in group["cells"]:
        for key in ("estimate", "interval"):
            assert np.array(lines["group_2"][key])[tuple(cell["codes"])].tolist() == cell[key]
    for pair in crossed:
        same = lines[pair["id"]]
        assert same["cells"] == [[cell["estimate"] for cell in row] for row in pair["cells"]]
        ends = [[cell["interval"] for cell in row] for row in pair["conditional"]]
        assert same["conditional_interval"] == ends
        assert same["p_value"] == pair["independence"]["p_value"]
        assert same["cramers_v"] == pair["association"]["cramers_v"]["value"]


def test_parameters_and_reports_give_the_results_document_again(client):
    launch = with_groups(120, linkage="together")
    parameters = json.loads(download(client, launch, "results-parameters"))
    document = json.loads(download(client, launch, "results-json"))
    (device,) = joint_of_all(read(parameters))
    counts = {device.key: np.zeros(SHAPE, dtype=int)}
    sizes = dict(zip(NAMES, SHAPE, strict=True))
    counts |= {(name, "page"): np.zeros(size, dtype=int) for name, size in sizes.items()}
    counts |= {(name, "page"): np.zeros(2, dtype=int) for name in ("team", "shift")}
    for row in rows_of(download(client, launch, "reports-csv")):
        counts[device.key][tuple(int(row[name]) for name in NAMES)] += 1
        for name in ("team", *NAMES, "shift"):
            counts[name, "page"][int(row[name])] += 1
    tallies = {key: table.ravel().tolist() for key, table in counts.items()}
    again = results_document(read(parameters), document["digest"], tallies, document["responses"])
    assert json.loads(json.dumps(again)) == document
