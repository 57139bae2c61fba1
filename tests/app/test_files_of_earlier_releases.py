"""A file is of the release that it was begun with; for a while it is offered beside a newer one."""

import io
import re
import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from surveys import jobs
from surveys.exports import snapshot
from surveys.exports.formats import csv
from surveys.exports.registry import all_exports
from surveys.models import AnalysisFit, Job, Launch, ReleaseFile, Result, RowDownload
from surveys.responses import tallies
from surveys.results.release import release_of
from surveys.services import bundles, printed_summaries, release_files, table_files
from surveys.services.bundles import BUNDLE, write_bundle_of
from surveys.services.printed_summaries import SUMMARY
from surveys.services.release_files import OFFERED_FOR, files
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from surveys.services.transitions import close_survey, delete_survey
from surveys.tasks import delete_old_files
from tests.app.calling import Program
from tests.files import content_of
from tests.released import QUESTIONS, answer, as_researcher, released, varied

pytestmark = [pytest.mark.each_database, pytest.mark.django_db]
in_transactions = pytest.mark.django_db(transaction=True)

REPORTS = all_exports()[0]


@pytest.fixture
def launch(client, settings, tmp_path):
    storage = settings.STORAGES["files"]
    storage = {**storage, "OPTIONS": {**storage["OPTIONS"], "location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "files": storage}
    settings.ROWS_AT_ONCE = 10
    launch = released(varied(30), questions=QUESTIONS, linkage="together")
    as_researcher(client, launch)
    return launch


def address(launch, name="reports-csv", **query):
    return reverse(name, args=[launch.survey.slug], query=query)


def page_of(launch, name="reports.csv", **query):
    return reverse("results-file", args=[launch.survey.slug, name], query=query)


def grow(launch, count=20):
    answer(launch, varied(count))
    refresh_results(launch_id=launch.pk)


def meanwhile(act, *arguments):
    """Do it over another connection, as another process does."""

    def run():
        try:
            act(*arguments)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def run_job(maker=TABLE):
    jobs.run(maker.job, ReleaseFile.objects.get(maker=maker.name).pk)


def made(client, launch):
    """The file of the release of 30, made while that was the newest."""
    assert client.get(address(launch))["Location"] == page_of(launch)
    run_job()
    return client.get(address(launch))


def moving(monkeypatch, act, *arguments):
    """Let it happen once while a file is written, which looks whether somebody still waits."""
    note, seen = jobs.Run.note, []

    def looked(run, share):
        seen.append(share)
        if len(seen) == 1:
            meanwhile(act, *arguments)
        return note(run, share)

    monkeypatch.setattr(jobs.Run, "note", looked)
    for module in (table_files, bundles):
        monkeypatch.setattr(module, "LOOK_EVERY", 5)
    # Most rows are read when it has happened.
    monkeypatch.setattr(snapshot, "CHUNK", 5)
    monkeypatch.setattr(release_files, "PAUSE", 0)
    return seen


def stored_files():
    return [name for folder in files().listdir("")[0] for name in files().listdir(folder)[1]]


# --- while it is written --------------------------------------------------------------------------


@in_transactions
def test_a_release_that_comes_while_it_is_written_is_not_in_the_file(client, launch, monkeypatch):
    before = content_of(REPORTS, csv.FORMAT, launch)
    seen = moving(monkeypatch, grow, launch)
    client.get(address(launch))
    run_job()
    assert len(seen) == 30 // 5
    assert Result.objects.get(launch=launch).responses == 50
    assert Job.objects.get(kind=TABLE.name).state == "done"
    row = ReleaseFile.objects.get()
    assert (row.responses, row.revision) == (30, 30)
    file = client.get(address(launch, at_least=30))
    assert file.getvalue() == before
    assert file["Content-Disposition"].endswith('-n30-reports.csv"')


@in_transactions
@pytest.mark.slow
def test_a_bundle_that_a_release_overtakes_is_whole_and_of_one(client, launch, monkeypatch):
    file = io.BytesIO()
    write_bundle_of(release_of(launch), file, with_rows=True)
    seen = moving(monkeypatch, grow, launch)
    client.get(address(launch, "bundle-zip"))
    run_job(BUNDLE)
    assert len(seen) > 1
    assert ReleaseFile.objects.get().responses == 30
    assert client.get(address(launch, "bundle-zip", at_least=30)).getvalue() == file.getvalue()


@in_transactions
@pytest.mark.slow
def test_a_summary_that_a_release_overtakes_is_of_one(client, launch, monkeypatch):
    content = printed_summaries.printed_content

    def slow(release, choice):
        meanwhile(grow, launch)
        return content(release, choice)

    monkeypatch.setattr(printed_summaries, "printed_content", slow)
    client.get(address(launch, "summary-pdf"))
    run_job(SUMMARY)
    assert Result.objects.get(launch=launch).responses == 50
    file = client.get(address(launch, "summary-pdf", at_least=30))
    assert file["Candor-Responses"] == "30"
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(file.getvalue())).pages)
    assert re.search(r"People in the results\s*30", text)


def translate(launch):
    Launch.objects.filter(pk=launch.pk).update(translations={"de": {"title": "Gesundheit"}})


@in_transactions
def test_what_is_not_only_older_is_begun_anew(client, launch, monkeypatch):
    def change():
        translate(launch)
        grow(launch)

    seen = moving(monkeypatch, change)
    client.get(address(launch))
    run_job()
    # Six looks at 30 rows, one before the second beginning, and ten at 50 rows.
    assert len(seen) == 6 + 1 + 10
    assert ReleaseFile.objects.get().responses == 50
    assert client.get(address(launch))["Candor-Responses"] == "50"


@in_transactions
def test_it_is_begun_when_the_results_have_caught_up(client, launch, monkeypatch):
    answer(launch, varied(20))
    tallies.aggregate_waiting(launch.pk)
    client.get(address(launch))
    waited = []

    def wait(_seconds):
        waited.append(ReleaseFile.objects.get().stored)
        refresh_results(launch_id=launch.pk)

    monkeypatch.setattr(snapshot, "PAUSE", 0)
    monkeypatch.setattr(release_files, "time", SimpleNamespace(sleep=wait))
    run_job()
    assert waited == [""]
    assert client.get(address(launch))["Candor-Responses"] == "50"


# --- on the page ----------------------------------------------------------------------------------


def test_the_page_says_of_which_release_it_is_and_has_the_newest_made(client, launch):
    assert made(client, launch)["Candor-Responses"] == "30"
    grow(launch)
    page = client.get(page_of(launch))
    assert "The file of an earlier release is ready" in page.text
    assert "It has the release of 30 responses, computed" in page.text
    assert "The newest release has 50." in page.text
    assert "The newest file is being made" not in page.text
    # To look at the page has nothing made.
    assert Job.objects.get(kind=TABLE.name).state == "done"
    file, newest = address(launch, at_least=30), page_of(launch, at_least=50)
    assert f'href="{file}" download' in page.text
    assert f'href="{newest}">Make the newest</a>' in page.text
    asked = client.get(newest)
    assert "The newest file is being made" in asked.text
    assert f'href="{file}" download' in asked.text
    assert Job.objects.get(kind=TABLE.name).state == "queued"
    # Whoever is content with the earlier one gets it meanwhile, and is told how far the newer is.
    assert client.get(file)["Candor-Responses"] == "30"
    assert "The newest file is being made" in client.get(page_of(launch)).text
    run_job()
    done = client.get(newest)
    assert "The file is ready" in done.text
    assert f'href="{address(launch)}" download' in done.text
    assert "Make the newest" not in done.text
    # An address of the earlier one leads to what has taken its place.
    assert client.get(file)["Candor-Responses"] == "50"


def test_a_download_without_a_word_is_of_the_newest(client, launch):
    assert made(client, launch).status_code == 200
    grow(launch)
    answer_ = client.get(address(launch))
    assert (answer_.status_code, answer_["Location"]) == (302, page_of(launch, at_least=50))
    run_job()
    assert client.get(address(launch))["Candor-Responses"] == "50"


def test_a_newest_file_that_could_not_be_made_leaves_the_earlier(client, launch, monkeypatch):
    assert made(client, launch).status_code == 200
    grow(launch)
    client.get(address(launch))
    with monkeypatch.context() as patch:
        patch.setattr(table_files, "_parts_of", lambda _name: None)
        run_job()
    page = client.get(page_of(launch, at_least=50))
    assert "The newest file could not be made" in page.text
    assert client.get(address(launch, at_least=30))["Candor-Responses"] == "30"
    client.post(reverse("results-file-again", args=[launch.survey.slug, "reports.csv"]))
    run_job()
    assert client.get(address(launch))["Candor-Responses"] == "50"


# --- names, headers, what is written down ---------------------------------------------------------


def test_names_and_headers_are_those_of_its_release(client, launch):
    first = made(client, launch)
    assert first.getvalue()
    grow(launch)
    file = client.get(address(launch, at_least=30))
    for name in ("ETag", "Last-Modified", "Content-Disposition", "Candor-Digest"):
        assert file[name] == first[name]
    assert file["Candor-Responses"] == "30"
    assert file["Candor-Newest-Responses"] == "50"
    assert "Candor-Newest-Responses" not in first
    assert [each.responses for each in RowDownload.objects.order_by("pk")] == [30, 30]
    client.get(address(launch))
    run_job()
    newest = client.get(address(launch))
    assert newest["ETag"] != first["ETag"]
    assert newest["Candor-Responses"] == "50"
    assert RowDownload.objects.latest("pk").responses == 50


def test_a_tag_of_the_earlier_is_not_one_of_the_newest(client, launch):
    tag = {"If-None-Match": made(client, launch)["ETag"]}
    grow(launch)
    same = client.get(address(launch, at_least=30), headers=tag)
    assert (same.status_code, same.content) == (304, b"")
    assert same["Candor-Newest-Responses"] == "50"
    assert client.get(address(launch), headers=tag).status_code == 302
    run_job()
    assert client.get(address(launch), headers=tag).status_code == 200
    newest = {"If-None-Match": client.get(address(launch))["ETag"]}
    assert client.get(address(launch), headers=newest).status_code == 304
    # Whoever has the newest is told so, whatever else would have done.
    assert client.get(address(launch, at_least=30), headers=newest).status_code == 304


# --- for programs ---------------------------------------------------------------------------------


def test_a_program_is_sent_it_and_told_that_there_is_a_newer_one(launch):
    program, at = Program(launch.survey.owner), f"surveys/{launch.survey_id}/rows/reports.csv"
    assert program.get(at).status_code == 202
    run_job()
    first = program.get(at)
    assert (first.status_code, first["Candor-Responses"]) == (200, "30")
    grow(launch)
    earlier = program.get(at)
    assert (earlier.status_code, earlier["ETag"]) == (200, first["ETag"])
    assert (earlier["Candor-Responses"], earlier["Candor-Newest-Responses"]) == ("30", "50")
    assert earlier["Content-Disposition"] == first["Content-Disposition"]
    tag = {"If_None_Match": first["ETag"]}
    assert program.get(at, **tag).status_code == 304
    newest = program.get(f"{at}?at_least=50", **tag)
    assert (newest.status_code, newest.json()["state"]) == (202, "queued")
    assert program.get(at).status_code == 200
    run_job()
    newest = program.get(f"{at}?at_least=50", **tag)
    assert (newest.status_code, newest["Candor-Responses"]) == (200, "50")
    assert "Candor-Newest-Responses" not in newest
    assert program.get(f"{at}?at_least=x").status_code == 422


# --- until when -----------------------------------------------------------------------------------


def test_it_goes_when_its_hour_is_over(client, launch, django_capture_on_commit_callbacks):
    assert made(client, launch).status_code == 200
    grow(launch)
    delete_old_files()
    assert len(stored_files()) == 1
    ReleaseFile.objects.update(made_at=timezone.now() - OFFERED_FOR)
    assert client.get(address(launch, at_least=30))["Location"] == page_of(launch)
    assert "The file is being made" in client.get(page_of(launch)).text
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_files()
    assert stored_files() == []


def test_that_of_the_newest_release_has_no_hour(client, launch):
    assert made(client, launch).status_code == 200
    ReleaseFile.objects.update(made_at=timezone.now() - timedelta(days=300))
    delete_old_files()
    assert client.get(address(launch)).status_code == 200


def test_it_goes_with_its_survey(client, launch, django_capture_on_commit_callbacks):
    assert made(client, launch).status_code == 200
    grow(launch)
    with django_capture_on_commit_callbacks(execute=True):
        close_survey(survey=launch.survey, actor=launch.survey.owner)
        delete_survey(survey=launch.survey, actor=launch.survey.owner)
    assert stored_files() == []


# --- who gets it ----------------------------------------------------------------------------------


def test_whoever_may_not_have_the_newest_may_not_have_the_earlier(client, launch):
    assert made(client, launch).status_code == 200
    grow(launch)
    assert client.get(address(launch, at_least=30)).status_code == 200
    launch.survey.researchers.clear()
    assert client.get(address(launch, at_least=30)).status_code == 404
    assert client.get(page_of(launch)).status_code == 404


def replace_a_report(launch):
    """As where somebody comes back: one response more, and as many people as before."""
    for model in (Launch, Result):
        model.objects.update(revision=F("revision") + 1)


def write_as_the_program_before(_launch):
    """It knows of the version alone."""
    ReleaseFile.objects.update(version="another")


@pytest.mark.parametrize("change", [translate, replace_a_report, write_as_the_program_before])
@pytest.mark.slow
def test_it_is_not_offered_where_more_has_changed(client, launch, change):
    assert made(client, launch).status_code == 200
    change(launch)
    grow(launch)
    assert client.get(address(launch, at_least=30))["Location"] == page_of(launch)
    assert "The file is being made" in client.get(page_of(launch)).text


def test_it_is_not_offered_where_nothing_is_released_any_more(client, launch):
    assert made(client, launch).status_code == 200
    Result.objects.filter(launch=launch).delete()
    assert client.get(address(launch, at_least=30)).status_code == 403
    assert client.get(page_of(launch)).status_code == 302


def test_a_bundle_of_an_earlier_release_has_all_analyses_that_there_are(client, launch):
    client.get(address(launch, "bundle-zip"))
    run_job(BUNDLE)
    grow(launch)
    earlier = client.get(address(launch, "bundle-zip", at_least=30))
    assert earlier["Candor-Responses"] == "30"
    fit = {"number": 1, "specification": {"name": "a"}, "key": "k", "revision": 50}
    AnalysisFit.objects.create(launch=launch, **fit)
    asked = client.get(address(launch, "bundle-zip", at_least=30))
    assert asked["Location"] == page_of(launch, "bundle.zip")
