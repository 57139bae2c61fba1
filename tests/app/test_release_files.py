"""Files that workers make: once for each release, the same bytes as at once, and gone in time."""

import io
import os
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from surveys import jobs
from surveys.exports.formats import csv
from surveys.exports.registry import all_exports
from surveys.exports.table import Format
from surveys.models import Job, ReleaseFile, RowDownload
from surveys.results.release import release_of
from surveys.services import table_files
from surveys.services.release_files import OFFERED_FOR, ask_file, files, release_file
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from surveys.services.transitions import close_survey, delete_survey
from surveys.tasks import delete_old_files
from tests.files import content_of
from tests.released import QUESTIONS, answer, as_researcher, released, varied
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

REPORTS = all_exports()[0]
WAITING = "/files/reports.csv/"


@pytest.fixture
def own_storage(settings, tmp_path):
    storage = settings.STORAGES["files"]
    storage = {**storage, "OPTIONS": {**storage["OPTIONS"], "location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "files": storage}


@pytest.fixture
def launch(client, own_storage, settings):
    settings.ROWS_AT_ONCE = 10
    launch = released(varied(30), questions=QUESTIONS, linkage="together")
    as_researcher(client, launch)
    return launch


def address(launch, name="reports-csv"):
    return reverse(name, args=[launch.survey.slug])


def run_job():
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)


def fetched(client, launch):
    """The file, as somebody gets it who comes first and again when the worker has been there."""
    first = client.get(address(launch))
    page = address(launch, "results") + WAITING[1:]
    assert (first.status_code, first["Location"].partition("?")[0]) == (302, page)
    run_job()
    return client.get(address(launch))


def stored_files():
    if not files().exists(""):
        return []
    return [name for folder in files().listdir("")[0] for name in files().listdir(folder)[1]]


def test_rows_of_many_people_are_a_file_that_is_made_once(client, launch):
    response = fetched(client, launch)
    assert response.getvalue() == content_of(REPORTS, csv.FORMAT, launch)
    assert response["Content-Disposition"].endswith('-n30-reports.csv"')
    # Whoever comes later reads the file and no table.
    again = client.get(address(launch))
    assert again.getvalue() == content_of(REPORTS, csv.FORMAT, launch)
    assert Job.objects.filter(kind=TABLE.name).count() == 1
    row = ReleaseFile.objects.get()
    assert row.size == files().size(row.stored)
    assert os.stat(files().path(row.stored)).st_mode & 0o777 == 0o600
    # Waiting is no download.
    assert RowDownload.objects.count() == 2


def test_labels_and_few_rows_are_sent_at_once(client, launch, settings):
    assert client.get(address(launch, "reports-codebook-json")).status_code == 200
    assert client.get(address(launch, "estimates-csv")).status_code == 200
    settings.ROWS_AT_ONCE = 30
    assert client.get(address(launch)).getvalue() == content_of(REPORTS, csv.FORMAT, launch)
    assert not ReleaseFile.objects.exists()


@pytest.mark.parametrize("name", ["reports-csv", "estimates-csv", "results-json", "codebook-csv"])
@pytest.mark.slow
def test_a_program_that_looks_again_is_told_that_nothing_has_changed(
    client, launch, settings, name
):
    settings.ROWS_AT_ONCE = 100
    first = client.get(address(launch, name))
    downloads = RowDownload.objects.count()
    again = client.get(address(launch, name), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert RowDownload.objects.count() == downloads
    if name == "codebook-csv":
        return
    moment = {"If-Modified-Since": first["Last-Modified"]}
    assert client.get(address(launch, name), headers=moment).status_code == 304
    answer(launch, varied(20))
    refresh_results(launch_id=launch.pk)
    newer = client.get(address(launch, name), headers={"If-None-Match": first["ETag"]})
    assert newer.status_code == 200
    assert newer["ETag"] != first["ETag"]
    assert newer["Candor-Responses"] == "50"


def test_files_differ_in_their_tags(client, launch, settings):
    settings.ROWS_AT_ONCE = 100
    names = ("reports-csv", "reports-codebook-json", "estimates-csv", "results-json")
    assert len({client.get(address(launch, name))["ETag"] for name in names}) == len(names)


def test_a_kept_file_is_not_sent_again_either(client, launch):
    first = fetched(client, launch)
    again = client.get(address(launch), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_next_release_replaces_the_file(client, launch, django_capture_on_commit_callbacks):
    assert b"\n" in fetched(client, launch).getvalue()
    answer(launch, varied(20))
    refresh_results(launch_id=launch.pk)
    with django_capture_on_commit_callbacks(execute=True):
        assert fetched(client, launch).getvalue().count(b"\r\n") == 51
    assert len(stored_files()) == 1


def test_nobody_waits_any_more(client, launch, monkeypatch):
    monkeypatch.setattr(table_files, "LOOK_EVERY", 10)
    client.get(address(launch))
    row = ReleaseFile.objects.get()
    asked = []
    with pytest.raises(table_files.StoppedError):
        TABLE.write(
            row, release_of(launch), io.BytesIO(), lambda share: asked.append(share) or share < 0.5
        )
    assert asked == [0, 1 / 3, 2 / 3]
    # A run that is told to end stores nothing, and its job says so.
    monkeypatch.setattr(jobs.Run, "note", lambda _run, _share: False)
    run_job()
    assert stored_files() == []
    assert Job.objects.get(kind=TABLE.name).state == "done"


def test_a_fault_leaves_no_file(client, launch, monkeypatch, caplog):
    def refuse(*_):
        raise OSError("no space left on the device")

    monkeypatch.setattr(table_files, "_parts_of", lambda _: (REPORTS, Format("csv", "", refuse)))
    client.get(address(launch))
    run_job()
    assert "no space left" in caplog.text
    assert Job.objects.get(kind=TABLE.name).state == "failed"
    assert stored_files() == []
    page = client.get(client.get(address(launch))["Location"])
    assert "The file could not be made" in page.text


def test_a_file_that_a_backup_did_not_bring_back_is_made_again(client, launch):
    assert fetched(client, launch).status_code == 200
    files().delete(ReleaseFile.objects.get().stored)
    assert fetched(client, launch).getvalue() == content_of(REPORTS, csv.FORMAT, launch)


def test_a_deleted_survey_has_no_file_left(client, launch, django_capture_on_commit_callbacks):
    assert fetched(client, launch).status_code == 200
    assert len(stored_files()) == 1
    with django_capture_on_commit_callbacks(execute=True):
        close_survey(survey=launch.survey, actor=launch.survey.owner)
        delete_survey(survey=launch.survey, actor=launch.survey.owner)
    assert not ReleaseFile.objects.exists()
    assert stored_files() == []


def test_old_files_go(client, launch, django_capture_on_commit_callbacks):
    assert fetched(client, launch).status_code == 200
    lost = files().save(f"{launch.pk}/lost", ContentFile(b"rows"))
    new = files().save(f"{launch.pk}/new", ContentFile(b"rows"))
    old = (timezone.now() - timedelta(days=2)).timestamp()
    os.utime(files().path(lost), (old, old))
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_files()
    row = ReleaseFile.objects.get()
    assert sorted(stored_files()) == sorted([row.stored.split("/")[1], new.split("/")[1]])
    answer(launch, varied(20))
    refresh_results(launch_id=launch.pk)
    ReleaseFile.objects.update(made_at=timezone.now() - OFFERED_FOR)
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_files()
    assert stored_files() == [new.split("/")[1]]
    assert ReleaseFile.objects.get().stored == ""
    files().delete(new)


@pytest.mark.usefixtures("own_storage")
def test_files_of_a_wave_go_that_another_has_followed(client, django_capture_on_commit_callbacks):
    """Its results are shown no more, and do not change any more either."""
    launch = coded_launch(release_batch=1, release_threshold=1)
    for _ in range(3):
        reports = {"drug": 1, "absence": 1, "permanent": 0}
        assert post(client, launch, new_code(), reports).status_code == 201
    refresh_results(launch_id=launch.pk)
    ask_file(TABLE, release_file(TABLE, release_of(launch, 0), "reports.csv"), "")
    run_job()
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_files()
    assert len(stored_files()) == 1
    next_wave(launch, drug="1.5")
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_files()
    assert stored_files() == []


@pytest.mark.parametrize("name", ["reports.csv", "reports.codebook.json", "nothing.csv", "x"])
def test_only_readers_of_reports_reach_their_page(client, launch, name):
    page = reverse("results-file", args=[launch.survey.slug, name])
    assert client.get(page).status_code == (200 if name == "reports.csv" else 404)
    launch.survey.results_public = True
    launch.survey.save()
    client.logout()
    assert client.get(page).status_code == 404
    assert client.post(page + "again/").status_code == 302
