"""What a page costs follows neither how many surveys a site has nor how many have answered."""

import re
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.inbox import fill_aggregated, fill_inbox
from surveys import jobs
from surveys.api.application import application
from surveys.api.openapi import openapi
from surveys.exports.formats import csv
from surveys.exports.registry import export_of
from surveys.models import Job, ReleaseFile
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from surveys.views import accounts
from tests.app.calling import Program
from tests.app.test_routes import routes
from tests.builders import launched, make_survey, make_user, owner
from tests.files import content_of
from tests.released import released, thirty

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def address(launch, name):
    return reverse(name, args=[launch.survey.slug])


# The lease is renewed by a thread, which has to see the job.
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_people_made_up_by_many_pairs_of_questions_are_a_file_of_a_worker(client):
    launch = thirty()
    client.force_login(launch.survey.owner)
    waiting = client.get(address(launch, "synthetic-csv"))
    assert waiting["Location"] == address(launch, "results") + "files/synthetic.csv/"
    program, file = Program(owner()), f"surveys/{launch.survey_id}/files/synthetic.csv"
    assert (program.get(file).status_code, program.get(file).json()["state"]) == (202, "queued")
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)
    made = client.get(address(launch, "synthetic-csv")).getvalue()
    assert made == content_of(export_of("synthetic"), csv.FORMAT, launch)
    assert program.get(file).getvalue() == made
    # What says only what the columns are, and the few rows of those who have answered, is quick.
    for name in ("synthetic-codebook-json", "reports-csv", "estimates-csv"):
        assert client.get(address(launch, name)).status_code == 200
    assert Job.objects.filter(kind=TABLE.name).count() == 1


@pytest.mark.slow
def test_a_row_of_many_reports_counts_as_several(client, settings):
    settings.ROWS_AT_ONCE = 300
    narrow = released([{"q1": number % 2} for number in range(240)], slug="narrow")
    wide = thirty(slug="wide")
    client.force_login(owner())
    assert client.get(address(narrow, "reports-csv")).status_code == 200
    assert client.get(address(wide, "reports-csv")).status_code == 302


@pytest.mark.slow
def test_no_page_asks_for_each_survey_or_author():
    root = make_user("root", superuser=True)
    person, program = Client(), Program(root)
    person.force_login(root)
    documents = openapi(application())["paths"]
    # A probe looks at the database once in some seconds.
    left_out = re.compile("log|readyz|healthz")
    gets = {f"/{route}": person.get for route, _entry in routes() if not left_out.search(route)}
    gets |= {
        f"/api/v1/{path.removeprefix('/api/v1/')}": program.client.get
        for path, methods in documents.items()
        if "get" in methods
    }
    program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {program.secret}"

    def statements():
        counts = {}
        for address, get in gets.items():
            if {*"<{(^"} & {*address}:
                continue
            with CaptureQueriesContext(connection) as captured:
                status = get(address).status_code
            if status == 200:
                counts[address] = len(captured)
        return counts

    add_surveys("few", 3)
    statements()
    few = statements()
    add_surveys("more", 6)
    assert statements() == few
    assert {"/admin/surveys/survey/", "/admin/auth/user/", "/api/v1/surveys"} <= few.keys()


def add_surveys(name, count):
    """Drafts, and surveys with results, each of an author of its own."""
    for number in range(count):
        slug = f"{name}-{number}"
        author = make_user(slug, author=True)
        make_survey(slug=f"{slug}-draft", owned_by=author)
        released([{"q1": 1}] * 5, slug=slug, owned_by=author)


def test_the_list_of_results_has_pages(client, monkeypatch):
    monkeypatch.setattr(accounts, "PER_PAGE", 4)
    for number in range(9):
        launched(slug=f"listed-{number}")
    client.force_login(owner())
    links, pages = [], [client.get("/account/", {"page": number}) for number in (1, 2, 3)]
    for page in pages:
        links.append(set(re.findall("/s/(listed-[0-9])/results/", page.text)))
    assert [len(each) for each in links] == [4, 4, 1]
    assert len(set.union(*links)) == 9
    assert [re.findall(r'"\?page=(\d)"', page.text) for page in pages] == [["2"], ["1", "3"], ["2"]]
    assert "Page 2 of 3" in pages[1].text


def test_webhooks_are_offered_surveys_by_their_titles_alone(client):
    """A superuser's list has every survey of the site."""
    client.force_login(make_user("root", superuser=True))
    make_survey(title="One of many")
    with CaptureQueriesContext(connection) as queries:
        page = client.get(reverse("admin:survey_webhooks"))
    assert "One of many" in page.text
    (statement,) = [each["sql"] for each in queries if 'FROM "surveys_survey"' in each["sql"]]
    columns = 'SELECT "surveys_survey"."id", "surveys_survey"."title" FROM "surveys_survey"'
    # PostgreSQL declares a cursor for it.
    assert columns in statement


def test_a_codebook_reads_no_reports(client):
    launch = released([{"q1": number % 2} for number in range(20)], linkage="together")
    client.force_login(owner())
    for name in ("reports-codebook-json", "reports-R"):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address(launch, name)).status_code == 200
        assert not any('FROM "surveys_reportset"' in query["sql"] for query in captured)


def test_a_recompute_reads_as_much_after_few_as_after_many():
    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    launches = {
        count: launched(slug=f"with-{count}", linkage="together", questions=[{}, choice])
        for count in (500, 20_000)
    }
    # Both are filled first: where PostgreSQL reads a small table whole, it reads rows of both.
    for count, launch in launches.items():
        fill_aggregated(launch, count)
    read = []
    for count, launch in launches.items():
        for _turn in range(2):
            fill_inbox(launch, 100)
            with rows_read() as counted:
                refresh_results(launch_id=launch.pk)
        read.append(counted[0])
        launch.refresh_from_db()
        assert launch.results.get().responses == launch.aggregated == count + 200
    assert 100 < read[1] <= 1.1 * read[0]


@contextmanager
def rows_read():
    """Rows on PostgreSQL, and steps of its machine on SQLite, which go with its rows."""
    counted = [0]
    if connection.vendor == "postgresql":
        before = rows_of_transaction()
        yield counted
        counted[0] = rows_of_transaction() - before
        return

    def step():
        counted[0] += 1

    connection.connection.set_progress_handler(step, 1)
    yield counted
    connection.connection.set_progress_handler(None, 1)


def rows_of_transaction():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint "
            "FROM pg_stat_xact_user_tables"
        )
        return cursor.fetchone()[0]
