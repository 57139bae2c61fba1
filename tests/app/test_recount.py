"""`manage.py candor recount`: the tallies against the stored reports, counted anew."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from surveys.models import ReportSet, Tally
from surveys.responses import tallies
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


@pytest.fixture
def launch():
    launch = launched(questions=QUESTIONS, linkage="together", cross_tables=[["q1", "q2"]])
    fill(launch, 21)
    tallies.aggregate_waiting(launch.pk)
    return launch


def printed(*slugs):
    out = StringIO()
    call_command("candor", "recount", *slugs, stdout=out)
    return out.getvalue()


def test_tallies_that_agree(launch):
    assert printed() == "health, version 1: 21 responses, all tallies agree\n"
    assert printed("health") == printed()
    assert tallies.audit(launch.pk) == (launch, [])


def test_a_launch_without_reports_agrees():
    launched(slug="quiet")
    assert printed() == "quiet, version 1: 0 responses, all tallies agree\n"


def test_a_wave_of_which_everybody_has_come_back_agrees(client):
    first = coded_launch(release_threshold=1, release_batch=1)
    code, answers = new_code(), {"drug": 0, "absence": 0, "permanent": 0}
    assert post(client, first, code, answers).status_code == 201
    tallies.aggregate_waiting(first.pk)
    second = next_wave(first, drug="2")
    assert post(client, second, code, answers).status_code == 201
    tallies.aggregate_waiting(second.pk)
    first.refresh_from_db()
    assert first.aggregated == 0
    assert first.tallies.exists()
    assert tallies.audit(first.pk)[1] == tallies.differing(first) == []


@pytest.mark.parametrize("table", ["q1", "q1,q2"])
def test_a_changed_tally_is_named(launch, table, capsys):
    tally = Tally.objects.get(table=table)
    tally.counts = [tally.counts[0] + 1, *tally.counts[1:]]
    tally.save()
    assert tallies.audit(launch.pk)[1] == [(tally.table, tally.stratum)]
    with pytest.raises(CommandError, match="1 launches do not agree"):
        call_command("candor", "recount")
    assert f"21 responses, {table}/{tally.stratum} differs" in capsys.readouterr().out


def test_a_lost_report_set_and_a_lost_tally_are_found(launch):
    ReportSet.objects.first().delete()
    assert tallies.audit(launch.pk)[1] == [
        ("*,*", "*"),
        ("q1", "page"),
        ("q1,q2", "page,page"),
        ("q2", "page"),
    ]
    Tally.objects.filter(table="q1").delete()
    assert ("q1", "page") in tallies.audit(launch.pk)[1]


@pytest.mark.parametrize("changed", [{"q1": 7}, {"q1": "1"}, {"q9": 0}])
def test_a_report_that_was_changed_into_none_is_found(launch, changed):
    stored = ReportSet.objects.first()
    strata = {**stored.content["strata"], "q9": "page"}
    stored.content = {"reports": {**stored.content["reports"], **changed}, "strata": strata}
    stored.save()
    assert ("q1", "page") in tallies.audit(launch.pk)[1]


def test_chunks_add_up(launch, monkeypatch):
    monkeypatch.setattr(tallies, "CHUNK", 4)
    assert tallies.audit(launch.pk)[1] == []


def test_an_audit_between_batches_is_tried_again(launch, monkeypatch):
    """A batch is aggregated after the tallies are read: they are read once more."""
    read, batches = tallies.snapshot, [3]

    def read_then_aggregate(launch_id, step):
        found = read(launch_id, step)
        if batches:
            fill(launch, batches.pop())
            tallies.aggregate_waiting(launch_id)
        return found

    monkeypatch.setattr(tallies, "snapshot", read_then_aggregate)
    audited, differing = tallies.audit(launch.pk)
    assert (audited.aggregated, differing) == (24, [])
    batches.extend([1] * tallies.ATTEMPTS)
    with pytest.raises(CommandError, match="being aggregated"):
        call_command("candor", "recount")


def test_an_unknown_survey_is_refused(launch):
    with pytest.raises(CommandError, match="No survey was launched as other"):
        call_command("candor", "recount", "health", "other")
