"""The summary as a PDF: what it has, how it is made by a worker, and who gets it."""

import io
import json
import logging
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from pypdf import PdfReader

from surveys import jobs
from surveys.jobs import lease
from surveys.models import Job, ReleaseFile, Result
from surveys.results.findings.choice import Choice
from surveys.results.joint_questions.presentation import joint_views
from surveys.results.presentation import question_views
from surveys.results.printed.content import printed_content
from surveys.results.printed.typesetting import NoFontError, pdf_of
from surveys.results.release import release_of
from surveys.results.tables.presentation import table_views
from surveys.services.printed_summaries import NO_FONT, SUMMARY
from surveys.services.results import refresh_results
from surveys.services.weighted_results import WEIGHTS
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_failed_fits import WEIGHTING
from tests.app.test_network_results import answered_network
from tests.app.visible_text import visible_text
from tests.builders import PASSWORD, make_user
from tests.released import QUESTIONS, answer, released, rich, rich_rows, varied, with_groups
from tests.tiers import address as tier_address
from tests.tiers import filled, read_by

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
any_database = pytest.mark.any_database

LARGEST = 300_000  # bytes
LANGUAGES = {code: {"Accept-Language": code} for code in ("en", "de")}
SURVEYS = {
    "all kinds": lambda: rich(400, results_public=True),
    "sent together": lambda: with_groups(400),
    "a network": lambda: answered_network(results_public=True),
}


@pytest.fixture(autouse=True)
def no_german_afterwards():
    """A request leaves its language behind in the thread; other tests expect English."""
    with translation.override("en"):
        yield


def address(launch, name="summary-pdf"):
    return reverse(name, args=[launch.survey.slug])


def page_of(launch, name="results-file"):
    return reverse(name, args=[launch.survey.slug, "summary.pdf"])


def run_jobs():
    for key in Job.objects.filter(kind=SUMMARY.name, state="queued").values_list(
        "subject", flat=True
    ):
        jobs.run(SUMMARY.job, key)


def fetched(client, launch, language="en", query=""):
    """The file, as somebody gets it who comes first and again when the worker has been there."""
    headers = LANGUAGES[language]
    first = client.get(address(launch) + query, headers=headers)
    assert first.status_code == 302
    assert first["Location"] in (page_of(launch) + query, f"{page_of(launch)}?at_least=90")
    run_jobs()
    file = client.get(address(launch) + query, headers=headers)
    assert (file.status_code, file["Content-Type"]) == (200, "application/pdf")
    assert re.search(
        r'attachment; filename="[a-z0-9-]+-[0-9a-f]{8}-n[0-9]+-summary\.pdf"',
        file.headers["Content-Disposition"],
    )
    return file.getvalue()


def plain(text):
    """The text without spaces, which a PDF has at other places: at ends of lines, for one."""
    return re.sub(r"\s+", "", text)


def text_of(pdf):
    return plain(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def findings_of(release):
    choice = Choice()
    together = joint_views(release, choice)
    views = [*question_views(release, choice), *table_views(release, choice), *together]
    views += [table for joint in together for table in joint.tables]
    return [view.finding for view in views]


@any_database
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("survey", SURVEYS)
def test_it_has_every_sentence_and_every_estimate_of_the_page(client, survey, language):
    launch = SURVEYS[survey]()
    pdf = fetched(client, launch, language)
    assert len(pdf) < LARGEST
    text = text_of(pdf)
    with translation.override(language):
        findings = findings_of(release_of(launch))
    panels = [panel for one in findings for figure in one.figures for panel in figure.panels]
    rows = [row for panel in panels for row in panel.rows]
    assert rows
    wanted = [sentence for one in findings for sentence in one.sentences]
    wanted += [words for row in rows for words in (row.label, row.interval)]
    wanted += [row.estimate for row in rows if row.is_known]
    assert [words for words in wanted if plain(words) not in text] == []
    reader = PdfReader(io.BytesIO(pdf))
    title = {"en": "Results: ", "de": "Ergebnisse: "}[language] + launch.survey.title
    assert reader.metadata.title == title
    catalog = reader.trailer["/Root"]
    assert catalog["/Lang"] == language
    assert catalog["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in catalog
    assert b"pdfuaid:part" in catalog["/Metadata"].get_object().get_data()
    for page, sheet in enumerate(reader.pages, start=1):
        words = sheet.extract_text()
        assert launch.digest_at(0) in plain(words)
        assert {"en": f"Page {page} of", "de": f"Seite {page} von"}[language] in words
        assert (round(sheet.mediabox.width), round(sheet.mediabox.height)) == (595, 842)


@any_database
def test_a_block_has_its_title_on_the_page_of_its_figure(client):
    launch = rich(400)
    sheets = [page.extract_text() for page in PdfReader(io.BytesIO(fetched(client, launch))).pages]
    for view in question_views(release_of(launch)):
        last = view.finding.figures[0].panels[0].rows[-1]
        with_block = [text for text in sheets if view.text in text and last.label in text]
        assert with_block, view.text


@any_database
def test_a_block_that_is_taller_than_a_page_breaks_between_rows(client):
    release = release_of(rich(60))
    content = printed_content(release, Choice())
    figure = content["parts"][0]["blocks"][0]["figures"][0]
    (row, *_), names = figure["panels"][0]["rows"], [f"Answer-{number}-" for number in range(120)]
    figure["panels"][0]["rows"] = [row | {"label": name} for name in names]
    pages = PdfReader(io.BytesIO(pdf_of(content, release.computed_at))).pages
    with_rows = [text for page in pages if "Answer-" in (text := page.extract_text())]
    assert len(with_rows) > 2
    assert [sum(name in text for text in with_rows) for name in names] == [1] * len(names)
    assert all("95 % interval" in text.replace("\xa0", " ") for text in with_rows)


HOSTILE = (
    "#let x = 1 $a_b$ *bold* _it_ @ref <tag> \\u{{41}} [content] `raw` // = - + / ~ "
    '"q" #read("/etc/passwd")'
)


@any_database
def test_texts_of_authors_are_printed_as_they_are(client):
    questions = (
        {"name": "drug", "kind": "single_choice", "text": HOSTILE, "options": ["#a", "*b*"]},
    )
    launch = released(
        ANSWERS,
        questions=questions, title=HOSTILE[:60], contact="= #pagebreak() <c>", results_public=True,
    )  # fmt: skip
    text = text_of(fetched(client, launch))
    for words in (HOSTILE, "#a", "*b*", "= #pagebreak() <c>"):
        assert plain(words) in text, words


@any_database
@pytest.mark.parametrize(
    "words", ["Ελλάδα", "Привет", "שלום", "العربية", "Žluťoučký", "ε ≤ ½ “x” …"]
)
def test_scripts_that_the_fonts_have_are_printed(words):
    launch = released(ANSWERS, questions=YES_NO, title=words)
    release = release_of(launch)
    pdf = pdf_of(printed_content(release, Choice()), release.computed_at)
    assert plain(words) in text_of(pdf)


# Prints a summary again and again, each time of other labels, by the function and then by Typst
# alone, and says by how many bytes the process has grown each time.
AGAIN = """
import json, sys
from datetime import UTC, datetime
import typst
from benchmarks.costs import anonymous_bytes
from surveys.results.printed.typesetting import TEMPLATE, pdf_of

text = sys.stdin.read()

def changed(number):
    return text.replace('"label": "', f'"label": "{number} ')

def forgetting(number):
    pdf_of(json.loads(changed(number)), datetime(2026, 1, 1, tzinfo=UTC))

def remembering(number):
    typst.compile(TEMPLATE.read_bytes(), sys_inputs={"content": changed(number)})

grown = []
forgetting(0)
for write in (forgetting, remembering):
    before = anonymous_bytes()
    for number in range(1, 10):
        write(number)
    grown.append(anonymous_bytes() - before)
print(json.dumps(grown))
"""


@any_database
def test_a_process_that_prints_keeps_little_of_it():
    content = printed_content(release_of(rich(60)), Choice())
    assert json.dumps(content).count('"label": "') > 10
    said = subprocess.run(
        [sys.executable, "-c", AGAIN],
        cwd=settings.BASE_DIR,
        input=json.dumps(content),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    forgetting, remembering = json.loads(said)
    assert forgetting < remembering / 4


ANSWERS = [{"drug": number % 2} for number in range(40)]
YES_NO = ({"name": "drug", "text": "Ever?"},)
# Of no script, so that no font of any machine has it.
MISSING = "\U000f1234"


@any_database
def test_a_character_without_a_font_is_refused_in_words_and_never_a_box(client, caplog):
    launch = released(ANSWERS, questions=YES_NO, title=f"Drug {MISSING}", results_public=True)
    release = release_of(launch)
    with pytest.raises(NoFontError):
        pdf_of(printed_content(release, Choice()), release.computed_at)
    client.get(address(launch))
    with caplog.at_level(logging.WARNING, "surveys.services.release_files"):
        run_jobs()
    assert "f1234" in caplog.text
    page = client.get(page_of(launch))
    assert NO_FONT in visible_text(page.text)
    # It is not tried again by whoever looks, and only who is signed in may ask.
    assert Job.objects.get(kind=SUMMARY.name).state == "failed"
    assert "Try again" not in page.text
    client.force_login(make_user("reader"))
    assert "Try again" in client.get(page_of(launch)).text
    again = client.post(page_of(launch, "results-file-again"))
    assert (again.status_code, again["Location"]) == (303, page_of(launch))
    assert Job.objects.get(kind=SUMMARY.name).state == "queued"


@any_database
def test_the_page_says_how_far_it_is(client):
    launch = rich(60)
    page = client.get(page_of(launch))
    assert "The file is being made" in page.text
    client.get(page_of(launch))
    assert Job.objects.filter(kind=SUMMARY.name).count() == 1
    run_jobs()
    page = client.get(page_of(launch))
    assert "The file is ready" in page.text
    assert f'href="{address(launch)}" download' in page.text
    results = client.get(address(launch, "results")).text
    assert f'href="{address(launch)}' in results


@pytest.mark.each_database
def test_it_is_kept_until_the_next_release(client):
    launch = rich(60)
    first = fetched(client, launch)
    assert client.get(address(launch)).getvalue() == first
    assert Job.objects.get(kind=SUMMARY.name).state == "done"
    answer(launch, rich_rows(30))
    refresh_results(launch_id=launch.pk)
    second = fetched(client, launch)
    assert plain("People in the results 90") in text_of(second)
    assert (ReleaseFile.objects.count(), Job.objects.filter(kind=SUMMARY.name).count()) == (1, 1)
    # Each language has a file of its own.
    fetched(client, launch, "de")
    assert ReleaseFile.objects.count() == 2


@pytest.mark.each_database
def test_a_worker_that_has_lost_its_lease_stores_nothing(client):
    launch = rich(60)
    client.get(address(launch))
    row = ReleaseFile.objects.get()
    old = lease.claim(SUMMARY.job, row.pk)
    Job.objects.filter(kind=SUMMARY.name).update(leased_until="2001-01-01T00:00:00Z")
    assert lease.claim(SUMMARY.job, row.pk)
    with pytest.raises(jobs.LeaseLostError):
        SUMMARY.job.run(jobs.Run(SUMMARY.job, row.pk, old))
    row.refresh_from_db()
    assert not row.stored


@any_database
def test_with_and_without_weights_are_two_files(client):
    launch = survey_of(people(60), weighting=WEIGHTING, results_public=True, release_threshold=2)
    jobs.run(WEIGHTS, launch.weighted_shares.get().pk)
    weighted = text_of(fetched(client, launch))
    plainly = text_of(fetched(client, launch, query="?weights=off"))
    assert plain("Numbers weighted") in weighted
    assert plain("Weighted to the declared margins") in weighted
    assert plain("Numbers not weighted") in plainly
    assert sorted(row.variant[-1] for row in ReleaseFile.objects.all()) == ["0", "1"]


@any_database
@pytest.mark.parametrize(
    ("role", "private"),
    [("owner", 302), ("researcher", 302), ("outsider", 404), ("anonymous", "login")],
)
def test_access_is_that_of_the_results(client, role, private):
    launch = released(varied(30), questions=QUESTIONS)
    if role != "anonymous":
        person = launch.survey.owner if role == "owner" else make_user(role)
        if role == "researcher":
            launch.survey.researchers.add(person)
        assert client.login(username=person.username, password=PASSWORD)
    for public in (False, True):
        launch.survey.results_public = public
        launch.survey.save()
        for name, asked in (("summary-pdf", address(launch)), ("printed", page_of(launch))):
            response = client.get(asked)
            if private == "login" and not public:
                assert response["Location"].startswith(reverse("login"))
            elif not public and private == 404:
                assert response.status_code == 404
            else:
                assert response.status_code == {"summary-pdf": 302, "printed": 200}[name]
            assert client.post(asked).status_code == 405
            if response.status_code == 200:
                assert "private" in response["Cache-Control"]


@any_database
def test_nothing_is_printed_below_the_threshold(client):
    launch = released(varied(9), questions=QUESTIONS, release_threshold=10, results_public=True)
    assert client.get(address(launch)).status_code == 403
    assert client.get(page_of(launch))["Location"] == address(launch, "results")
    client.force_login(launch.survey.owner)
    assert client.post(page_of(launch, "results-file-again")).status_code == 303
    assert not ReleaseFile.objects.exists()


@any_database
def test_the_author_gets_what_everybody_may_see(client):
    launch = released(
        varied(30), questions=QUESTIONS, release_threshold=10, release_batch=5, results_public=True
    )
    public = fetched(client, launch)
    answer(launch, varied(3))
    client.force_login(launch.survey.owner)
    assert client.get(address(launch)).getvalue() == public


@any_database
def test_each_tier_has_a_file_of_its_own(client):
    launch = filled(60)
    reader = make_user("reader")
    read_by(launch, reader, 1)
    client.force_login(reader)
    low = text_of(fetched(client, launch))
    assert plain("Tier 1 of 3: The public.") in low
    assert client.get(tier_address(launch, "summary-pdf", 3)).status_code in (403, 404)
    client.force_login(launch.survey.owner)
    high = text_of(fetched(client, launch, query="?tier=3"))
    assert plain("Tier 3 of 3: Our own team.") in high
    assert launch.digest_at(2) not in low
    assert sorted(ReleaseFile.objects.values_list("step", flat=True)) == [0, 2]


@any_database
def test_a_fault_says_so_and_leaves_the_row_empty(client, caplog):
    """The fault is a real one: the stored results have lost what the page reads of them."""
    launch = rich(60)
    client.get(address(launch))
    result = Result.objects.get(launch=launch)
    broken = [{**question, "id": "none"} for question in result.content["questions"]]
    Result.objects.filter(pk=result.pk).update(content={**result.content, "questions": broken})
    with caplog.at_level(logging.ERROR):
        run_jobs()
    assert Job.objects.get(kind=SUMMARY.name).state == "failed"
    assert not ReleaseFile.objects.get().stored
    Result.objects.filter(pk=result.pk).update(content=result.content)
    assert "The file could not be made" in client.get(page_of(launch)).text


def test_it_is_in_the_languages_of_the_site():
    assert set(LANGUAGES) == set(dict(settings.LANGUAGES))
