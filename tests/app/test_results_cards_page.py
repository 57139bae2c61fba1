"""Cards and searched devices on the results page and in the files, at any number of answers."""

import csv
import html as markup
import io
import json
import re

import msgspec
import pytest
from django.urls import reverse

import rr_engine
from surveys.devices.registry import SEARCHED
from surveys.results.figures.questions import question_figure
from surveys.results.release import release_of
from tests.devices import cards_of, devices_of
from tests.released import as_researcher, released
from tests.searched import certificate_from_json, searched_question

pytestmark = pytest.mark.django_db

MANY = [f"Answer {number}" for number in range(1, 51)]
CARDS = {"name": "reason", "kind": "single_choice", "text": "Why?", "design": "cards"}


def launch_with_both(size=10, **values):
    cards = {**CARDS, "options": MANY[:size], "epsilon": "1", "prefer_not": size == 50}
    questions = [cards, searched_question()]
    rows = [{"reason": n * n % 9, "missed": n % 8} for n in range(60)]
    return released(rows, **{"questions": questions, "results_public": True, **values})


def get(client, launch, name):
    if name.startswith("reports"):
        as_researcher(client, launch)
    return client.get(reverse(name, args=[launch.survey.slug]))


def plain(html):
    text = re.sub(r"<[^>]+>", " ", markup.unescape(html))
    return " ".join(text.split()).replace("\u00a0", " ")


def table(html, caption):
    """Rows of the table with this in its caption, cells as plain text."""
    (table,) = [
        markup for markup in re.findall(r"<table.*?</table>", html, re.S) if caption in markup
    ]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.S)
    return [list(map(plain, re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S))) for row in rows]


def test_every_card_is_on_the_page_with_its_answers_chances_and_number(client):
    launch = launch_with_both()
    html = get(client, launch, "results").content.decode()
    device = devices_of(launch)[0]
    counts = launch.results.get().content["questions"][0]["devices"][0]["counts"]
    head, *rows = table(html, "The cards")
    assert head == ["Card", "Answers on it", "Answer on it", "Not on it", "Sent"]
    assert len(rows) == len(device["reports"]) == 30
    cards = cards_of(device)
    for row, letter, answers, count in zip(rows, device["reports"], cards, counts, strict=True):
        assert row[:2] == [letter, " ".join(MANY[answer] for answer in answers)]
        assert row[4] == str(count)
    # e / (9 e + 21) and 1 / (9 e + 21): each answer is on 9 of the 30 cards.
    assert {(row[2], row[3]) for row in rows} == {("5.98 %", "2.20 %")}
    text = plain(html)
    assert "Chance draws one of 30 cards" in text
    assert "No device that keeps ε = 1 has a smaller error in its worst case" in text


@pytest.mark.slow
def test_no_raw_share_is_shown_where_no_report_stands_for_an_answer(client):
    launch = launch_with_both()
    html = get(client, launch, "results").content.decode()
    assert "Raw reports</th>" not in html
    assert "None" not in plain(html)
    for entry in release_of(launch).content.questions:
        names = [trace.get("name") for trace in question_figure(entry, None)["data"]]
        assert len(question_figure(entry, None)["data"]) == 3
        assert "reported" not in json.dumps(names)


@pytest.mark.slow
def test_fifty_one_answers_have_a_page(client):
    launch = launch_with_both(50)
    html = get(client, launch, "results").content.decode()
    device = devices_of(launch)[0]
    assert len(table(html, "The cards")) == 1 + len(device["reports"])
    assert re.search(r"In the worst case its squared error is \d+\.\d % above", plain(html))
    assert get(client, launch, "summary-html").status_code == 200


def test_a_searched_device_says_what_was_proved_and_gives_the_proof(client):
    launch = launch_with_both()
    html = get(client, launch, "results").content.decode()
    text = plain(html)
    assert "Searched for before launch" in text
    assert "is within 0.1 % of the smallest that any device of the same privacy can have" in text
    assert reverse("results-certificate", args=[launch.survey.slug]) in html

    document = get(client, launch, "results-certificate").json()
    assert (document["survey"], document["digest"]) == (launch.survey.slug, launch.digest)
    ((name, proof),) = document["questions"].items()
    assert proof["search"] == devices_of(launch)[1]["search"]
    certificate = certificate_from_json(proof["certificate"])
    assert rr_engine.optimisation.verify_certificate(certificate)
    smallest = float(proof["search"]["least_error"])
    assert 0 <= certificate.bound * certificate.n - smallest < 1e-9
    assert name == "missed"


def certificate_of_a_search():
    (_cards, missed) = release_of(launch_with_both()).content.questions
    return missed.certificate


@pytest.mark.parametrize(
    ("gap", "text"), [(0.0, "0.1"), (0.00149, "0.2"), (0.0411, "4.2"), (1.5, "150.0")]
)
@pytest.mark.slow
def test_a_gap_is_rounded_up(gap, text):
    certificate = msgspec.structs.replace(certificate_of_a_search(), gap=gap, at_estimate=None)
    (sentence,) = SEARCHED.certificate_words(certificate, "1")
    assert f"within {text}\u00a0% of" in sentence


def test_without_a_searched_device_there_is_no_proof(client):
    launch = released([{"q1": 0}] * 9, results_public=True)
    assert get(client, launch, "results-certificate").status_code == 404


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_reports_of_cards_are_labelled_in_the_files(client, linkage):
    launch = launch_with_both(linkage=linkage)
    device = devices_of(launch)[0]
    labels = [" | ".join(MANY[a] for a in card) for card in cards_of(device)]
    text = get(client, launch, "codebook-csv").getvalue().decode()
    codebook = [row for row in csv.DictReader(io.StringIO(text)) if not row["missing"]]
    cards = [row for row in codebook if row["variable"] == "reason"]
    assert [(int(row["code"]), row["report"], row["shows"]) for row in cards] == [
        (code, letter, labels[code]) for code, letter in enumerate(device["reports"])
    ]
    assert {row["shows"] for row in codebook if row["variable"] == "missed"} == {""}
    text = get(client, launch, "reports-csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    if linkage == "apart":
        reason_rows = [row for row in rows if row["variable"] == "reason"]
        assert [row["shows"] for row in reason_rows] == [
            labels[int(row["code"])] for row in reason_rows
        ]
        assert {row["shows"] for row in rows if row["variable"] == "missed"} == {""}
    results = get(client, launch, "results-json").json()
    assert results["questions"][0]["devices"][0]["shows"] == cards_of(device)


def test_without_cards_the_file_of_reports_is_as_it_was(client):
    launch = released([{"q1": n % 2} for n in range(9)], results_public=True, linkage="apart")
    text = get(client, launch, "reports-csv").content.decode()
    assert text.splitlines()[0] == "variable,stratum,code,report"
