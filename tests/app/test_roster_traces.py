"""Stored and served data of a roster: names in one place, links nowhere, no order of arrival."""

import csv
import hashlib
import io
import json
import logging
import random
import uuid
from itertools import pairwise

import pytest
from django.apps import apps
from django.db import connection, models
from django.urls import reverse

from surveys.exports.registry import all_exports
from surveys.features.roster.changes import delete_names
from surveys.features.roster.models import Member
from surveys.models import Launch, Receipt, ReportSet, Submission, Tally
from surveys.responses import tallies
from surveys.results.figures.questions import results_figures
from surveys.results.release import release_of
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.app import test_logs
from tests.app.test_downloads_reproduce import download
from tests.app.test_order_of_arrival import row_keys
from tests.builders import owner
from tests.plain import content_of
from tests.rosters import RosterRow, launched_network, links_of

pytestmark = [pytest.mark.django_db, pytest.mark.each_database, pytest.mark.slow]
handler, log_text = test_logs.handler, test_logs.log_text

MEMBERS, THRESHOLD, BATCH = 16, 6, 3
# No part of these comes up by chance.
ROWS = [
    RosterRow(
        f"kx7.{number:03}", f"Zephyrine Quillfeather{number:03}", ("Early", "Late")[number % 2]
    )
    for number in range(MEMBERS)
]
CODES = tuple(row.code for row in ROWS)
FILES = ("results-json", "summary-html", "results-parameters")


def network(**values) -> Launch:
    return launched_network(ROWS, **{"release_threshold": THRESHOLD, **values})


def answer(client, launch, code: str, link: str):
    """Return what a member sends: the same reports for the same code, whenever they come."""
    chance = random.Random(code)
    bits = ("".join(chance.choices("01", k=MEMBERS - 1)) for _ in range(2))
    reports = {"friends": next(bits), "lends": next(bits), "smokes": chance.randrange(2)}
    body = {
        "digest": launch.digest,
        "submission": str(uuid.uuid4()),
        "reports": reports,
        "link": link,
    }
    return post(client, launch, "responses", json.dumps(body))


def post(client, launch, name: str, body):
    address = reverse(name, args=[launch.survey.slug])
    return client.post(address, body, content_type="application/json")


def answered(client, launch, codes) -> dict[str, str]:
    links = links_of(launch.survey)
    for code in codes:
        assert post(client, launch, "person", json.dumps({"link": links[code]})).status_code == 200
        assert answer(client, launch, code, links[code]).status_code == 201
    return links


def everything_stored() -> dict[str, str]:
    """Every table of the database, as text."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found[table] = repr(cursor.fetchall())
    return found


def tables_with(*words: str) -> set[str]:
    return {
        table for table, rows in everything_stored().items() if any(word in rows for word in words)
    }


def public_texts(client, launch) -> dict[str, str]:
    """All pages and files about the results, for the author of the survey."""
    client.force_login(owner())
    urls = ["results", "results-status", "results-figures", *FILES]
    for export in all_exports():
        if export.exists(launch.parameters):
            # All others have the cells of the same tables.
            texts = [each for each in export.formats if "charset" in each.content_type]
            urls += [f"{export.name}-{each.ending.replace('.', '-')}" for each in texts]
    return {name: download(client, launch, name) for name in urls}


# --- where names, codes and links are -------------------------------------------------------------


def test_names_are_in_one_table_and_links_in_none(client):
    launch = network()
    links = answered(client, launch, CODES[:10])
    refresh_results(launch_id=launch.pk)
    names = [row.name for row in ROWS]
    member_table = Member._meta.db_table
    assert tables_with("Quillfeather") == {member_table}
    assert tables_with(*names) == {member_table}
    assert tables_with(*links.values(), *map(str.lower, links.values())) == set()
    # Nor can a link be recomputed from what is stored, or be tried without the secret of the site.
    guesses = [
        hashlib.new(name, text.encode()).hexdigest()
        for link in links.values()
        for text in (link, f"{launch.survey_id}:{link}", f"candor.personal_link{link}")
        for name in ("sha1", "sha256", "md5")
    ]
    assert tables_with(*guesses) == set()
    close_survey(survey=launch.survey, actor=None)
    delete_names(survey=launch.survey, actor=owner())
    assert tables_with("Quillfeather") == set()


def test_codes_are_beside_reports_and_in_what_is_frozen(client):
    launch = network()
    answered(client, launch, CODES[:9])
    tallies.aggregate_waiting(launch.pk)
    expected = {model._meta.db_table for model in (Member, ReportSet, Launch)}
    assert tables_with("kx7.") == expected
    assert not Submission.objects.exists()
    # The tally has places, which the frozen roster leads to codes.
    rows = Tally.objects.get(table="friends", stratum="page").counts
    assert list(rows) == [str(place) for place in range(9)]


def test_a_submission_id_is_not_beside_a_member(client):
    """The receipt has the id that a browser keeps, and says of nobody that it is theirs."""
    launch = network()
    answered(client, launch, CODES[:5])
    tallies.aggregate_waiting(launch.pk)
    ids = list(Receipt.objects.values_list("submission", flat=True))
    assert len(ids) == 5
    texts = [text for each in ids for text in (str(each), each.hex)]
    assert tables_with(*texts) == {Receipt._meta.db_table}
    assert {field.name for field in Receipt._meta.fields} == {"id", "submission", "launch"}


def test_nothing_that_is_served_has_a_name_or_a_link_and_codes_are_with_the_reports(client):
    launch = network()
    links = answered(client, launch, CODES[:10])
    refresh_results(launch_id=launch.pk)
    texts = public_texts(client, launch)
    assert len(texts) > 8
    for name, text in texts.items():
        assert "Quillfeather" not in text, name
        assert not any(link in text for link in links.values()), name
    with_codes = {name for name, text in texts.items() if "kx7." in text}
    reports = {name for name in texts if name.startswith("reports-")}
    codebooks = {name for name in texts if name.startswith("codebook-") and name.endswith("csv")}
    assert with_codes == {"results-parameters", *reports, *codebooks}
    # The reports are only those of members who have answered: nobody else has a row.
    rows = list(csv.DictReader(io.StringIO(texts["reports-csv"], newline="")))
    assert sorted(row["member"] for row in rows) == list(CODES[:10])
    assert "friends:mixing" in texts["results-figures"]


# --- logs and error reports -----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["person", "responses"])
def test_an_error_that_nobody_expected_is_logged_without_the_member(
    client,
    monkeypatch,
    caplog,
    log_text,
    place,
):
    launch = network()
    links = links_of(launch.survey)
    client.raise_request_exception = False

    def broken(**values):
        raise RuntimeError(f"{values} {list(Member.objects.values())}")

    monkeypatch.setattr("surveys.views.wire.record_at", broken)
    monkeypatch.setattr("surveys.features.roster.views.person_of", broken)
    with caplog.at_level(logging.DEBUG, logger="surveys"):
        for code in CODES[:3]:
            if place == "person":
                body = json.dumps({"link": links[code]})
                found = post(client, launch, "person", body)
            else:
                found = answer(client, launch, code, links[code])
            assert found.status_code == 500
    text = log_text()
    assert text.count("RuntimeError (its text is left out)") == 1
    for secret in ("Quillfeather", "kx7.", *links.values()):
        assert secret not in text
        assert secret not in found.content.decode()


def test_what_is_refused_and_what_is_counted_is_logged_without_the_member(client, caplog):
    launch = network()
    with caplog.at_level(logging.DEBUG):
        links = answered(client, launch, CODES[:8])
        assert answer(client, launch, CODES[0], links[CODES[0]]).status_code == 409
        assert answer(client, launch, CODES[0], "0" * 28).status_code == 404
        rows = Submission.objects.filter(content__member=CODES[1])
        rows.update(content={"member": CODES[1], "reports": {}})
        refresh_results(launch_id=launch.pk)
    assert Submission.objects.filter(quarantined=True).count() == 1
    lines = [
        record.getMessage() for record in caplog.records if record.name != "django.db.backends"
    ]
    assert any("do not fit" in line for line in lines)
    for secret in ("Quillfeather", "kx7.", *links.values()):
        assert not any(secret in line for line in lines)


# --- times and orders -----------------------------------------------------------------------------


def test_nothing_beside_a_member_or_a_report_has_a_time():
    moments = (models.DateTimeField, models.DateField, models.TimeField, models.DurationField)
    for model in (Member, ReportSet, Receipt, Submission, Tally):
        assert [field.name for field in model._meta.fields if isinstance(field, moments)] == []
    # Nothing else points at a member.
    assert Member._meta.related_objects == ()
    referring = {
        (model.__name__, field.name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.related_model is Member and not field.auto_created
    }
    assert referring == set()


@pytest.mark.parametrize("seed", [1, 2])
def test_rows_of_members_keep_the_order_of_the_roster_and_of_their_keys(client, seed):
    """Answers are marked in place: no key counts up, whatever order they come in."""
    launch = network()
    before = dict(Member.objects.values_list("code", "pk"))
    codes = random.Random(seed).sample(CODES, 10)
    answered(client, launch, codes)
    tallies.aggregate_waiting(launch.pk)
    assert dict(Member.objects.values_list("code", "pk")) == before
    assert sorted(row_keys(Member)) == sorted(before.values())
    keys = row_keys(ReportSet)
    assert sorted(keys) == sorted(ReportSet.objects.values_list("pk", flat=True))
    # Counted-up keys would all be small; a random one of 63 bits is so once in 2**43.
    assert min(keys) > 2**20


ORDERS = {
    "as on the roster": CODES[:12],
    "the other way round": CODES[11::-1],
    "mixed": random.Random(14).sample(CODES[:12], 12),
}


def test_results_and_files_do_not_know_the_order_of_answers(client):
    """Nor in how many batches they came."""
    found = {}
    for number, (order, codes) in enumerate(ORDERS.items()):
        owned_by = owner() if number else None
        launch = network(slug=f"order-{number}", title="Ties", owned_by=owned_by)
        links = links_of(launch.survey)
        for place, code in enumerate(codes):
            answer(client, launch, code, links[code])
            if place % (number + 3) == 0:
                tallies.aggregate_waiting(launch.pk)
        refresh_results(launch_id=launch.pk)
        launch.refresh_from_db()
        counts = {
            (each.table, each.stratum): json.dumps(each.counts)
            for each in Tally.objects.filter(launch=launch)
        }
        reports = sorted(download_of(client, launch, "reports-csv").splitlines())
        estimates = download_of(client, launch, "estimates-csv")
        content = json.dumps(content_of(launch)["questions"])
        figures = json.dumps(results_figures(release_of(launch).content, None))
        found[order] = counts, reports, estimates, content, figures
    first, *others = found.values()
    assert first[1][-1].startswith("member,")
    for each in others:
        assert each == first


def download_of(client, launch, name: str) -> str:
    client.force_login(owner())
    return download(client, launch, name)


# --- releases -------------------------------------------------------------------------------------


def network_of(content) -> dict:
    question = next(each for each in content["questions"] if each["id"] == "friends")
    return question["network"]


def test_two_releases_differ_by_a_batch_at_least_and_below_the_threshold_there_is_nothing(client):
    launch = network(release_batch=BATCH)
    links, shown = links_of(launch.survey), []
    client.force_login(owner())
    for code in CODES:
        answer(client, launch, code, links[code])
        refresh_results(launch_id=launch.pk)
        launch.refresh_from_db()
        release = release_of(launch)
        shown.append(content_of(launch))
        assert (release.content is None) == (launch.aggregated < THRESHOLD)
        if release.content is None:
            address = reverse("results-json", args=[launch.survey.slug])
            assert b"reporters" not in client.get(address).content
    assert '"reporters"' in download(client, launch, "results-json")
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    shown.append(content_of(launch))
    reporters = [network_of(content)["reporters"] for content in shown if content]
    steps = sorted(set(reporters))
    assert steps[0] >= THRESHOLD
    assert all(later - earlier >= BATCH for earlier, later in pairwise(steps))
    assert len(steps) > 2
    assert steps[-1] == MEMBERS
    # The same number of reporters is the same release.
    same = {
        count: {
            json.dumps(content["questions"])
            for content, reported in zip(filter(None, shown), reporters, strict=True)
            if reported == count
        }
        for count in steps
    }
    assert {len(contents) for contents in same.values()} == {1}
