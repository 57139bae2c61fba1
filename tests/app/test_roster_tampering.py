"""Rows of a roster that were written past the application: none stops the worker or is counted."""

import json
import uuid
from itertools import permutations

import pytest

from surveys.features.roster.models import Member
from surveys.models import ReportSet, Submission
from surveys.responses import tallies
from surveys.responses.ties_space import TieBits
from surveys.services.results import lagging_launches, refresh_results
from surveys.services.transitions import close_survey
from tests.app.kept import kept_once
from tests.rosters import launched_network

pytestmark = pytest.mark.django_db
CODES = tuple(f"m{number:03}" for number in range(1, 13))


def bits_of(code: str) -> str:
    """Return other bits for each member, with as many ones as the number of the member says."""
    number = int(code[1:]) - 1
    return "1" * number + "0" * (11 - number)


def content_of(code: str, **reports) -> dict:
    reports = {"friends": bits_of(code), "smokes": 1, **reports}
    return {"reports": reports, "strata": dict.fromkeys(reports, "page"), "member": code}


def put(launch, *codes: str, **reports) -> list[Submission]:
    """Rows of the inbox under these codes, whose members have answered."""
    Member.objects.filter(survey=launch.survey, code__in=codes).update(answered=True)
    return [
        Submission.objects.create(
            pk=uuid.uuid4(), launch=launch, content=content_of(code, **reports)
        )
        for code in codes
    ]


def counted(launch) -> set[str]:
    tally = tallies.snapshot(launch.pk)[1].get(("friends", "page"), {})
    return {CODES[int(place)] for place in tally}


def quarantined() -> set[uuid.UUID]:
    return set(Submission.objects.filter(quarantined=True).values_list("pk", flat=True))


kept = kept_once(lambda: launched_network(slug="kept", release_batch=1))


def assert_sound(launch, codes) -> None:
    """These members are counted, once each, and nothing is left over."""
    assert counted(launch) == set(codes)
    counts = tallies.snapshot(launch.pk)[1]
    assert counts == tallies.recount(launch)
    assert counts["smokes", "page"] == [0, len(codes)]
    assert tallies.audit(launch.pk)[1] == []
    assert launch.waiting() == 0
    assert list(lagging_launches()) in ([], [launch.pk])
    refresh_results(launch_id=launch.pk)
    assert list(lagging_launches()) == []


def test_a_member_named_by_two_rows_is_counted_by_neither(launch, caplog):
    rows = put(launch, "m001", "m002", "m003", "m002")
    assert tallies.aggregate_waiting(launch.pk) == 2
    assert quarantined() == {rows[1].pk, rows[3].pk}
    assert_sound(launch, ["m001", "m003"])
    assert "2 stored responses" in caplog.text
    assert not any(code in caplog.text for code in CODES)


def test_a_member_who_was_counted_is_not_counted_again(launch):
    put(launch, "m001", "m002")
    assert tallies.aggregate_waiting(launch.pk) == 2
    (again,) = put(launch, "m002", smokes=0)
    put(launch, "m004")
    assert tallies.aggregate_waiting(launch.pk) == 1
    assert quarantined() == {again.pk}
    assert_sound(launch, ["m001", "m002", "m004"])


def test_a_row_under_the_code_of_somebody_who_has_not_answered_is_set_aside(launch):
    """Else the real answer of that member would be the one too many."""
    row, *_ = put(launch, "m001", "m002")
    Submission.objects.filter(pk=row.pk).update(content=content_of("m009"))
    assert tallies.aggregate_waiting(launch.pk) == 1
    assert quarantined() == {row.pk}
    put(launch, "m009")
    assert tallies.aggregate_waiting(launch.pk) == 1
    assert_sound(launch, ["m002", "m009"])


def test_rows_of_one_member_are_set_aside_together_whichever_is_chosen_first(launch, monkeypatch):
    monkeypatch.setattr(tallies, "CHUNK", 2)
    rows = put(launch, *CODES, "m005", "m005")
    batches = list(iter(lambda: tallies.aggregate_batch(launch.pk), None))
    assert sum(batches) == len(CODES) - 1
    assert len(batches) > 1
    assert quarantined() == {rows[4].pk, *(row.pk for row in rows[12:])}
    assert_sound(launch, [code for code in CODES if code != "m005"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "member",
    ["m013", "M001", "m001 ", "", None, 1, True, ["m001"], {"code": "m001"}, "Member 1", ...],
    ids=str,
)
def test_a_row_of_nobody_on_the_roster_is_set_aside(launch, member):
    (bad,) = put(launch, "m001")
    content = content_of("m001") | {"member": member}
    if member is ...:
        del content["member"]
    Submission.objects.filter(pk=bad.pk).update(content=content)
    put(launch, "m002", "m003")
    assert tallies.aggregate_waiting(launch.pk) == 2
    assert quarantined() == {bad.pk}
    assert_sound(launch, ["m002", "m003"])


@pytest.mark.parametrize("bits", ["0" * 10, "0" * 12, "2" * 11, "", 0, None, ["0"] * 11], ids=str)
def test_a_row_whose_bits_are_none_is_set_aside_and_its_member_is_not(launch, bits):
    (bad,) = put(launch, "m001", friends=bits)
    (good,) = put(launch, "m001")
    put(launch, "m002")
    assert tallies.aggregate_waiting(launch.pk) == 2
    assert quarantined() == {bad.pk}
    assert not Submission.objects.filter(pk=good.pk).exists()
    assert_sound(launch, ["m001", "m002"])


def test_what_is_left_is_no_smaller_batch():
    """Two of six rows are one member's: the other four are fewer than a batch, and stay."""
    launch = launched_network(release_batch=5)
    put(launch, "m001", "m002", "m003", "m004", "m005", "m005")
    close_survey(survey=launch.survey, actor=None)
    assert tallies.aggregate_waiting(launch.pk) == 0
    assert len(quarantined()) == 2
    assert launch.waiting() == 4
    put(launch, "m006")
    assert tallies.aggregate_waiting(launch.pk) == 5


@pytest.mark.parametrize("change", ["another code", "no code", "an unknown code", "a row twice"])
def test_an_audit_sees_report_sets_that_were_changed(launch, change):
    put(launch, "m001", "m002", "m003")
    tallies.aggregate_waiting(launch.pk)
    row = ReportSet.objects.get(content__member="m002")
    if change == "a row twice":
        ReportSet.objects.create(pk=row.pk + 1, launch=launch, content=row.content)
    else:
        members = {"another code": "m003", "no code": None, "an unknown code": "m999"}
        row.content |= {"member": members[change]}
        row.save()
    assert ("friends", "page") in tallies.audit(launch.pk)[1]


# --- the space of the reports -------------------------------------------------------------------


def test_a_tally_has_each_member_once():
    space = TieBits(3)
    with pytest.raises(ValueError, match="reported before"):
        space.count([(0, "101"), (0, "101")])
    with pytest.raises(ValueError, match="reported before"):
        space.add({"0": 5}, {"0": 5})
    with pytest.raises(ValueError, match="no reports to lose"):
        space.subtract({"0": 5}, {"1": 5})
    with pytest.raises(ValueError, match="no reports to lose"):
        space.subtract({"0": 5}, {"0": 4})


def test_a_tally_is_the_same_in_whatever_order_it_was_counted():
    space = TieBits(3)
    reports = [(2, "101"), (0, "000"), (10, "111"), (3, "001")]
    whole = space.count(reports)
    # As text, which is how it is stored and exported.
    assert json.dumps(whole) == '{"0": 0, "2": 5, "3": 1, "10": 7}'
    for ordered in permutations(reports):
        assert json.dumps(space.count(ordered)) == json.dumps(whole)
        parts = [space.count([report]) for report in ordered]
        merged = None
        for part in parts:
            merged = space.add(merged, part)
        assert json.dumps(merged) == json.dumps(whole)
        assert space.subtract(whole, parts[0]) == space.count(ordered[1:])


def test_adding_changes_neither_tally():
    space = TieBits(2)
    first, second = {"0": 1}, {"1": 2}
    assert space.add(first, second) == {"0": 1, "1": 2}
    assert (first, second) == ({"0": 1}, {"1": 2})
