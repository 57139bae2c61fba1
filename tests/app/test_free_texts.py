"""Texts in one's own words: asked for, refused, kept apart, and what is shown of them."""

import csv
import io
from collections import Counter
from itertools import permutations

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.features.free_texts.assignment import rows_of
from surveys.features.free_texts.models import WrittenText
from surveys.models import ReportSet, Submission
from surveys.parameters import to_json
from surveys.services.results import refresh_results
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.audit.audit import goodness_of_fit
from tests.builders import launched, make_survey, response, sent
from tests.released import as_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ASKED = {"free_text_questions": "What else?\n\n  What  helps? ", "free_text_characters": 40}
HOSTILE = [
    "=HYPERLINK(1)",
    "+1+1",
    "@SUM(A1)",
    '-2+3"; DROP TABLE',
    "first\n=1+1",
    "a,b;=1+1",
    'c; "=1+1"',
    "<script>alert(1)</script>",
    "{{ 7|add:7 }} {% debug %}",
]


def section(survey):
    return to_json(draft_parameters(survey=survey)).get("free_texts")


def answered(client, launch, texts):
    values = {} if texts is None else {"texts": texts}
    return sent(client, launch, {**response(launch), **values})


def released_with(client, texts, **values):
    launch = launched(**ASKED, **values)
    for text in texts:
        assert answered(client, launch, {"text_1": text} if text else {}).status_code == 201
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


# --- the author -----------------------------------------------------------------------------------


def test_each_line_is_a_question_that_is_none_of_the_document():
    survey = make_survey(**ASKED, questions=[{"name": "text_1"}])
    assert section(survey) == [
        {"id": "text_2", "text": "What else?", "characters": 40},
        {"id": "text_3", "text": "What helps?", "characters": 40},
    ]
    assert [question.id for question in draft_parameters(survey=survey).questions] == ["text_1"]
    assert section(make_survey(slug="none")) is None


def test_an_author_is_advised_and_confirms_the_texts_before_the_launch(client):
    survey = make_survey(**ASKED)
    found = {finding.code: finding.blocks for finding in lint_survey(survey)}
    assert found["free_texts_seen"] is False
    too_many = make_survey(slug="many", free_text_questions="A?\nB?\nC?\nD?\nE?\nF?")
    assert {x.code: x.blocks for x in lint_survey(too_many)}["free_texts"] is True
    sign_in(client)
    before = visible_text(client.get(page(survey, "launch")).text)
    assert "Texts are read as they were written" in before
    assert "I need these texts" in before


# --- a response -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["a"], "not_the_texts"),
        ({"other": "a"}, "not_the_texts"),
        ({"text_1": ""}, "bad_text"),
        ({"text_1": " \n "}, "bad_text"),
        ({"text_1": 5}, "bad_text"),
        ({"text_1": ["a"]}, "bad_text"),
        ({"text_1": "a" * 41}, "bad_text"),
        ({"text_1": "a\x00b"}, "bad_text"),
        ({"text_1": "a\x1b[2Jb"}, "bad_text"),
        ({"text_1": "\ud800"}, "bad_text"),
    ],
)
def test_what_is_no_text_that_was_asked_for_is_refused(client, texts, code):
    answer = answered(client, launched(**ASKED), texts)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)
    assert not Submission.objects.exists()


def test_a_response_without_texts_is_one_of_somebody_who_wrote_none(client):
    assert answered(client, launched(**ASKED), None).status_code == 201


def test_texts_of_a_survey_that_asks_for_none_are_refused(client):
    assert answered(client, launched(), {}).json()["errors"][0]["code"] == "unknown_key"


def test_a_text_leaves_its_response_with_its_batch_and_nothing_joins_them(client):
    launch = launched(**ASKED, linkage="together")
    for number in range(3):
        texts = {"text_1": f"First {number}", "text_2": f"Second {number}"}
        assert answered(client, launch, texts).status_code == 201
    # Until then they wait with all else of their responses.
    assert not WrittenText.objects.exists()
    refresh_results(launch_id=launch.pk)
    assert not Submission.objects.exists()
    assert {tuple(sorted(each.content)) for each in ReportSet.objects.all()} == {
        ("reports", "strata")
    }
    rows = WrittenText.objects.all()
    assert {(row.question, row.text) for row in rows} == {
        (f"text_{place}", f"{word} {number}")
        for place, word in ((1, "First"), (2, "Second"))
        for number in range(3)
    }
    keys = {row.pk for row in rows} | set(ReportSet.objects.values_list("pk", flat=True))
    assert len(keys) == 9
    fields = {field.name for field in WrittenText._meta.get_fields()}
    assert fields == {"id", "launch", "question", "text"}


@pytest.mark.parametrize("is_one", [True, False], ids=["one batch", "two batches"])
@pytest.mark.slow
def test_all_orders_of_texts_are_alike_likely_whenever_and_by_whomever_they_were_sent(is_one):
    """12,000 draws of the four texts of two people; a faithful order fails once in 10**12 runs."""
    launch = launched(**ASKED)
    people = [{"texts": {"text_1": first, "text_2": second}} for first, second in ("ab", "cd")]
    batches = [people] if is_one else [[person] for person in people]
    found: Counter[str] = Counter()
    for _ in range(12_000):
        rows = [row for batch in batches for row in rows_of(launch, batch)]
        found["".join(row.text for row in sorted(rows, key=lambda row: row.pk))] += 1
    orders = ["".join(order) for order in permutations("abcd")]
    assert goodness_of_fit([[found[order] for order in orders]], [[1 / 24] * 24]) > 1e-12


# --- results --------------------------------------------------------------------------------------


def results_of(client, launch):
    return client.get(reverse("results", args=[launch.survey.slug]))


def test_the_page_says_how_many_wrote_and_nothing_of_what(client):
    launch = released_with(client, [*HOSTILE, ""], results_public=True)
    shown = results_of(sign_in(client), launch).text
    words = visible_text(shown)
    assert "What else? 9 people wrote something." in words
    assert "What helps? Too few people wrote something to say how many." in words
    assert not any(text in shown for text in HOSTILE)
    # Who comes for the numbers does not have to pass it.
    assert shown.index('id="question-') < shown.index('id="own-words"')


def test_a_text_is_counted_with_its_batch_and_not_before(client):
    launch = launched(**ASKED, release_threshold=2, release_batch=2, results_public=True)
    texts = iter("abcdefgh")

    def shown_after(count):
        for text in [next(texts) for _ in range(count)]:
            assert answered(client, launch, {"text_1": text}).status_code == 201
        refresh_results(launch_id=launch.pk)
        return visible_text(results_of(sign_in(client), launch).text)

    # Two wait for two more, whatever comes.
    assert "people wrote" not in shown_after(3)
    assert "What else? 2 people wrote something." in shown_after(1)
    assert "What else? 2 people wrote something." in shown_after(1)
    assert "What else? 4 people wrote something." in shown_after(1)


def test_of_few_texts_neither_their_number_nor_they_are_shown(client):
    launch = released_with(client, ["Me"] * 2 + [""] * 3, release_threshold=3)
    words = visible_text(results_of(sign_in(client), launch).text)
    assert "What else? Too few people wrote something to say how many." in words
    rows = list(csv.reader(io.StringIO(downloaded(client, launch))))
    assert rows == [["question", "text"]]


def downloaded(client, launch):
    as_researcher(client, launch)
    answer = client.get(reverse("free_texts-csv", args=[launch.survey.slug]))
    assert answer.status_code == 200
    return answer.getvalue().decode()


def test_the_file_has_the_texts_alone_and_a_spreadsheet_computes_none_of_them(client):
    launch = released_with(client, HOSTILE)
    file = downloaded(client, launch)
    header, *rows = csv.reader(io.StringIO(file))
    assert header == ["question", "text"]
    texts = [text for _question, text in rows]
    assert sorted(text.replace("'", "") for text in texts) == sorted(
        " ".join(text.split()) for text in HOSTILE
    )
    assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for text in texts)
    # In some countries a spreadsheet takes semicolons for the ends of cells.
    cells = [cell for line in file.splitlines() for cell in line.split(";")]
    assert not any(cell.lstrip(' "').startswith(("=", "+", "-", "@")) for cell in cells)


def test_the_file_is_for_those_whom_the_author_gives_rows_alone(client):
    launch = released_with(client, HOSTILE, results_public=True)
    answer = client.get(reverse("free_texts-csv", args=[launch.survey.slug]))
    assert answer.status_code in (302, 403, 404)
