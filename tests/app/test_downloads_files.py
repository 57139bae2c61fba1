"""The files themselves: names, forms, bytes."""

import csv
import json
import re

import pytest
from django.urls import reverse

from surveys.exports import snapshot
from surveys.exports.snapshot import MovingError
from surveys.exports.tables import reports
from surveys.models import Launch, ReportSet
from surveys.services.results import refresh_results
from tests import read_back
from tests.released import QUESTIONS, answer, as_researcher, released, rich, varied

pytestmark = pytest.mark.django_db


def get(client, launch, name):
    if name.startswith("reports"):
        as_researcher(client, launch)
    return client.get(reverse(name, args=[launch.survey.slug]))


def text_of(client, launch):
    return get(client, launch, "reports-csv").getvalue().decode()


@pytest.mark.parametrize(
    ("name", "filename", "kind"),
    [
        ("reports-csv", "health-{}-n6-reports.csv", "text/csv; charset=utf-8"),
        ("results-json", "health-{}-n6-results.json", "application/json; charset=utf-8"),
        ("results-parameters", "health-{}-parameters.json", "application/json; charset=utf-8"),
        ("summary-html", "health-{}-n6-summary.html", "text/html; charset=utf-8"),
        ("estimates-csv", "health-{}-n6-estimates.csv", "text/csv; charset=utf-8"),
        ("codebook-csv", "health-{}-codebook.csv", "text/csv; charset=utf-8"),
        ("questions-csv", "health-{}-questions.csv", "text/csv; charset=utf-8"),
        (
            "reports-codebook-json",
            "health-{}-n6-reports.codebook.json",
            "application/json; charset=utf-8",
        ),
    ],
)
def test_files_are_named_after_survey_parameters_and_release(client, name, filename, kind):
    launch = released([{"q1": 0}] * 6, results_public=True)
    response = get(client, launch, name)
    assert response.getvalue() if response.streaming else response.content
    name = filename.format(launch.digest.removeprefix("sha256:")[:8])
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response["Candor-Digest"] == launch.digest
    assert response.get("Candor-Responses") == ("6" if "-n6-" in filename else None)
    assert response["Content-Type"] == kind


@pytest.mark.slow
def test_the_workbook_of_reports_says_what_it_is_of_and_has_the_estimates(client, tmp_path):
    launch = released(varied(30), linkage="together", results_public=True, questions=QUESTIONS)
    as_researcher(client, launch)
    address = reverse("reports-csv", args=[launch.survey.slug]).replace(".csv", ".xlsx")
    path = tmp_path / "reports.xlsx"
    path.write_bytes(client.get(address).getvalue())
    sheets = read_back.by_openpyxl(path)
    assert list(sheets) == ["read me", "reports", "codebook", "estimates"]
    told = dict(row[:2] for row in sheets["read me"] if row[0] != "note")
    assert (told["survey"], told["digest"], told["responses"]) == (
        launch.parameters.title,
        launch.digest,
        "30",
    )
    assert len(sheets["reports"]) == 1 + 30
    head, *rows = csv.reader(get(client, launch, "estimates-csv").getvalue().decode().splitlines())
    own, *cells = sheets["estimates"]
    assert list(own) == head
    at = head.index("estimate")
    assert [row[at] for row in cells] == [pytest.approx(float(row[at])) for row in rows]
    described = {(row[0], row[1]) for row in sheets["codebook"]}
    assert {("reports", "drug"), ("estimates", "estimate")} <= described


def test_answers_kept_together_are_a_row_a_person(client):
    rows = varied(30)
    launch = released(rows, linkage="together", results_public=True, questions=QUESTIONS)
    header, *lines = text_of(client, launch).split("\r\n")[:-1]
    assert header == "drug,absence,permanent,bribe,in.tables"
    whole = [{**row, "in.tables": 1} for row in rows]
    expected = [",".join(str(row.get(name, "")) for name in header.split(",")) for row in whole]
    assert sorted(lines) == sorted(expected)


def test_answers_kept_apart_are_a_row_each_without_a_common_key(client):
    launch = released(varied(30), linkage="apart", results_public=True, questions=QUESTIONS)
    header, *lines = text_of(client, launch).split("\r\n")[:-1]
    assert header == "variable,stratum,code,report"
    assert len(lines) == 3 * 30 + 20
    assert all(re.fullmatch(r"[a-z]+,page,[0-2],[ABC]", line) for line in lines)
    # Not grouped by person or question: the first rows of an ordered file would be one question's.
    assert len({line.split(",")[0] for line in lines[:30]}) > 1


def test_a_question_with_several_devices_has_a_column_that_says_which(client):
    launch = rich(40, 30)
    header, *lines = text_of(client, launch).split("\r\n")[:-1]
    assert header == "drug,drug.stratum,took_1,took_2,saw,stress,size,in.tables"
    assert len(lines) == 70
    assert sum(line.split(",")[1] == "physical" for line in lines) == 30
    assert sum(line.split(",")[1] == "page" for line in lines) == 40
    assert sum(line.split(",")[2:4] == ["", ""] for line in lines) == 10 + 8


def test_reports_of_a_device_that_too_few_used_say_that_they_are_held_back(client):
    launch = rich(40, 19)
    header, *lines = text_of(client, launch).split("\r\n")[:-1]
    assert header.startswith("drug,drug.stratum,")
    assert sum(line.startswith("-1,held_back,") for line in lines) == 19
    assert not any(line.startswith(",") or ",physical," in line for line in lines)
    columns = json.loads(get(client, launch, "reports-codebook-json").getvalue())["columns"]
    missing = {column["name"]: column.get("missing") for column in columns}
    assert [value["code"] for value in missing["drug"]] == [None, -1]
    assert [value["code"] for value in missing["drug.stratum"]] == [None, "held_back"]
    assert [value["code"] for value in missing["took_1"]] == [None]
    assert missing["took_1"][0]["label"] == "left out"


def test_the_same_results_give_the_same_bytes(client):
    launch = released(varied(50), results_public=True, questions=QUESTIONS)
    first = text_of(client, launch)
    assert text_of(client, launch) == first
    answer(launch, varied(3))
    assert text_of(client, launch) == first  # responses in the inbox are not in it
    refresh_results(launch_id=launch.pk)
    assert len(text_of(client, launch)) > len(first)


def test_rows_come_in_the_order_of_their_random_keys(client):
    launch = released(varied(40), linkage="together", results_public=True, questions=QUESTIONS)
    rows = ReportSet.objects.order_by("pk").values_list("content", flat=True)
    drug = [str(content["reports"]["drug"]) for content in rows]
    assert [line.split(",")[0] for line in text_of(client, launch).splitlines()[1:]] == drug


def test_no_file_holds_a_submission_id_or_a_random_key(client):
    launch = released(varied(20), results_public=True, questions=QUESTIONS)
    secrets = [str(key) for key in ReportSet.objects.values_list("pk", flat=True)]
    secrets += [str(receipt.submission) for receipt in launch.receipts.all()]
    for name in ("reports-csv", "results-json", "results-parameters", "summary-html"):
        response = get(client, launch, name)
        body = (response.getvalue() if response.streaming else response.content).decode()
        assert not [secret for secret in secrets if secret in body]


def test_reports_ahead_of_the_results_are_not_handed_out(client, monkeypatch):
    """Between aggregation and computing, the file would not give the numbers on the page."""
    monkeypatch.setattr(snapshot, "PAUSE", 0)
    launch = released(varied(20), results_public=True, questions=QUESTIONS)
    Launch.objects.filter(pk=launch.pk).update(aggregated=21, revision=21)
    response = get(client, launch, "reports-csv")
    assert response.status_code == 503
    assert response["Retry-After"]
    launch.refresh_from_db()
    with pytest.raises(MovingError):
        reports.table(launch)


def test_results_json_is_plain_and_finite(client):
    launch = released([{"q1": 1}] * 6, results_public=True)
    text = get(client, launch, "results-json").content.decode()
    json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert text.endswith("\n")


def test_the_summary_is_one_file_that_names_no_other(client):
    launch = released(varied(30), results_public=True, questions=QUESTIONS)
    html = get(client, launch, "summary-html").content.decode()
    # Plotly's own text mentions addresses; the policy keeps it from using any.
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", html, flags=re.DOTALL)
    assert not re.search(r"<link|<img|<iframe|<script[^>]+src=|<a [^>]*href=\"(?!#)", markup)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1]
    assert "default-src &#x27;none&#x27;" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert launch.digest in html
    assert "<button" not in html


@pytest.mark.parametrize("name", ["results", "reports-csv", "summary-html", "results-status"])
def test_a_head_request_has_the_headers_of_the_answer(client, name):
    launch = released([{"q1": 0}] * 6, results_public=True)
    address = reverse(name, args=[launch.survey.slug])
    client.force_login(launch.survey.owner)
    head = client.head(address)
    assert head.status_code == 200
    assert not (head.getvalue() if head.streaming else head.content)
    answer = client.get(address)
    answer.close()
    assert head["Content-Type"] == answer["Content-Type"]
