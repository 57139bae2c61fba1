"""Results of a survey in several languages: the reader chooses, and no number and no code does."""

import csv
import io
import json
from functools import partial

import pytest
from django.urls import reverse
from django.utils.translation import override

from surveys.languages import END, FROM_RIGHT, with_isolated
from surveys.models import ReleaseFile
from surveys.parameters import texts_by_path
from surveys.parameters.canonical import digest_of_json
from surveys.results.findings.choice import Choice
from surveys.results.printed.content import printed_content
from surveys.results.release import release_of
from tests import tiers
from tests.app.consistency.surveys import weighted
from tests.app.visible_text import visible_text
from tests.released import as_researcher, released
from tests.translations import HEBREW, launched_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

# What the survey of these tests asks, in Hebrew; Candor has its own words.
WORDS = {
    "Health at work": "בריאות בעבודה",
    "Have you taken a drug?": "האם לקחתם סם?",
    "Where do you live?": "היכן אתם גרים?",
    "North": "צפון",
    "South": "דרום",
    "How large is your firm?": "מה גודל החברה שלכם?",
    "Small": "קטנה",
    "Large": "גדולה",
    "Low": "נמוך",
    "Fair": "בינוני",
    "High": "גבוה",
    "hours": "שעות",
}
DATA = ("estimates-csv", "weighted-csv", "questions-csv", "codebook-csv", "chances-csv")
BOOKS = ("reports-codebook-json", "estimates-codebook-json")


@pytest.fixture
def launch():
    return weighted(launch=partial(launched_in, words=WORDS))


def fetched(client, launch, name, *parts, **query):
    answer = client.get(reverse(name, args=[launch.survey.slug, *parts]), query)
    assert answer.status_code == 200
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- pages ----------------------------------------------------------------------------------------

PAGES = (
    ("results", (), {}),
    ("summary-html", (), {}),
    ("results-analysis", (1,), {}),
    ("results-crowd", (), {"statistic": "table", "outcome": "drug", "given": "size"}),
)


@pytest.mark.parametrize(("name", "parts", "query"), PAGES)
def test_a_page_has_every_text_of_the_author_in_the_language_that_its_address_names(
    client, launch, name, parts, query
):
    page = fetched(client, launch, name, *parts, **query, language=HEBREW)
    body = visible_text(page.partition("<body")[2])
    shown = [text for text in WORDS if f" {text} " in f" {body} "]
    # The variable name of a question.
    assert set(shown) <= {"hours"}
    assert WORDS["Health at work"] in body
    assert '<html lang="en">' in page
    assert 'lang="he" dir="rtl"' in page
    own = fetched(client, launch, name, *parts, **query).partition("<body")[2]
    assert "rtl" not in own.replace('hreflang="he" dir="rtl"', "")


def test_readers_choose_a_language_and_every_link_of_the_page_keeps_it(client, launch):
    own = fetched(client, launch, "results")
    assert 'href="?language=he" lang="he" hreflang="he" dir="rtl">עברית</a>' in own
    page = fetched(client, launch, "results", language=HEBREW, sort="size")
    assert 'href="?sort=size" lang="en"' in page
    for name in ("results-analyses", "results-crowd", "results-figures", "results-status"):
        assert f"{reverse(name, args=[launch.survey.slug])}?language=he" in page
    assert "?language=he&amp;sort=size" in page


@pytest.mark.parametrize("language", ["pl", "xx", "../he", ""])
def test_a_language_that_there_is_not_has_the_page_in_that_of_the_survey(client, launch, language):
    assert "Where do you live?" in fetched(client, launch, "results", language=language)


def test_figures_and_what_is_printed_are_kept_for_each_language(client, launch):
    drawn = {
        language: fetched(client, launch, "results-figures", language=language)
        for language in ("", HEBREW, "")
    }
    assert f"{FROM_RIGHT}צפון{END}" in drawn[HEBREW]
    assert "צפון" not in drawn[""]
    assert "North" in drawn[""]
    for language in ("", HEBREW):
        client.get(reverse("summary-pdf", args=[launch.survey.slug]), {"language": language})
    assert {row.variant.split("&")[1] for row in ReleaseFile.objects.all()} == {
        "texts=",
        f"texts={HEBREW}",
    }
    printed = printed_content(release_of(launch.in_language(HEBREW)), Choice())
    assert printed["author_direction"] == "rtl"
    text = json.dumps(printed, ensure_ascii=False)
    assert "היכן אתם גרים?" in text
    assert "Where do you live?" not in text


def test_words_from_right_to_left_move_no_number_of_a_sentence():
    sentence = "About 12 of 100 answered “כן”; „אף פעם“ or “yes” 5."
    isolated = with_isolated(sentence)
    assert isolated == (
        f"About 12 of 100 answered “{FROM_RIGHT}כן{END}”; „{FROM_RIGHT}אף פעם{END}“ or “yes” 5."
    )
    assert with_isolated(isolated) == isolated


# --- written from right to left -------------------------------------------------------------------

WRITTEN = {
    "title": "בריאות בעבודה",
    "language": "he",
    "contact": "סקר",
    "questions": [
        {"name": "drug", "text": "האם לקחתם סם?", "prefer_not": True},
        {
            "name": "region",
            "kind": "single_choice",
            "text": "היכן אתם גרים?",
            "options": ["צפון", "דרום"],
            "randomized": False,
        },
    ],
    "linkage": "together",
    "results_public": True,
}


def test_a_survey_is_written_from_right_to_left_and_its_results_are_whole(client):
    rows = [{"drug": number % 3, "region": number % 2} for number in range(60)]
    launch = released(rows, **WRITTEN)
    page = client.get(f"/s/{launch.survey.slug}/").text
    assert '<html lang="he" dir="rtl">' in page
    assert launch.parameters.question("drug").categories == ("לא", "כן", "אעדיף לא לומר")
    results = fetched(client, launch, "results")
    assert '<html lang="en">' in results
    assert '<h1 lang="he" dir="rtl">' in results
    assert f"“{FROM_RIGHT}כן{END}”" in results
    with override("de"):
        printed = json.dumps(printed_content(release_of(launch), Choice()), ensure_ascii=False)
    assert "Ergebnisse" in printed
    columns = json.loads(fetched(client, launch, "estimates-codebook-json"))["columns"]
    assert [column["label"] for column in columns if column["name"] == "answer"] == ["Answer"]
    shares = rows_of(fetched(client, launch, "estimates-csv"))
    assert {row["answer"] for row in shares if row["question"] == "region"} == {"צפון", "דרום"}


# --- files ----------------------------------------------------------------------------------------


def test_a_file_is_the_same_for_all_readers_and_has_every_language(client, launch):
    as_researcher(client, launch)
    for name in (*DATA, *BOOKS, "results-json", "results-parameters"):
        own = fetched(client, launch, name)
        assert fetched(client, launch, name, language=HEBREW) == own
    shares = rows_of(fetched(client, launch, "estimates-csv"))
    answers = {(row["answer"], row["answer_he"]) for row in shares if row["question"] == "region"}
    assert answers == {("North", "צפון"), ("South", "דרום")}
    asked = rows_of(fetched(client, launch, "questions-csv"))
    texts = {(row["text"], row["text_he"], row["unit_he"]) for row in asked}
    assert ("Where do you live?", "היכן אתם גרים?", "") in texts
    assert "שעות" in {unit for *_, unit in texts}
    book = rows_of(fetched(client, launch, "codebook-csv"))
    assert ("North", "צפון") in {(row["shows"], row["shows_he"]) for row in book}
    likeliest = {(row["likeliest_from"], row["likeliest_from_he"]) for row in book}
    assert ("Yes", "כן") in likeliest
    chances = rows_of(fetched(client, launch, "chances-csv"))
    real = {(row["real_answer"], row["real_answer_he"]) for row in chances}
    assert {("No", "לא"), ("Yes", "כן")} <= real


def test_labels_of_programs_have_every_language_and_codes_have_one(client, launch):
    as_researcher(client, launch)
    book = json.loads(fetched(client, launch, "reports-codebook-json"))
    region = next(column for column in book["columns"] if column["name"] == "region")
    assert region["labels"] == {HEBREW: "היכן אתם גרים?"}
    assert [(value["code"], value["labels"]) for value in region["values"]] == [
        (0, {HEBREW: "A: צפון"}),
        (1, {HEBREW: "B: דרום"}),
    ]
    results = json.loads(fetched(client, launch, "results-json"))
    parameters = json.loads(fetched(client, launch, "results-parameters"))
    assert results["translations"] == parameters["translations"]
    assert results["translations"][HEBREW]["texts"]["questions.region.categories.0"] == "צפון"
    rows = rows_of(fetched(client, launch, "analysis-csv", 1))
    assert {(row["level"], row["level_he"]) for row in rows} == {("", ""), ("South", "דרום")}


def test_each_tier_has_its_translations_under_a_digest_of_its_own_document(client):
    asked = {"linkage": "together", "questions": tiers.QUESTIONS, "budget": 8}
    launch = launched_in(**asked, tiers=tiers.TIERS, release_threshold=20)
    client.force_login(launch.survey.owner)
    for step in launch.steps:
        document = json.loads(fetched(client, launch, "results-parameters", tier=step + 1))
        assert document == launch.served_at(step).document()
        served = document["translations"][HEBREW]
        assert served["texts"].keys() == texts_by_path(launch.parameters_at(step)).keys()
        covered = {"document": document["digest"], "language": HEBREW, "texts": served["texts"]}
        assert served["digest"] == digest_of_json(covered)
        questions = rows_of(fetched(client, launch, "questions-csv", tier=step + 1))
        assert {row["text_he"] for row in questions} >= {"⟦Why?⟧"}
