"""Reports on a roster, from the response to the tally: counted with the places of their senders."""

import json

import numpy as np
import pytest
from django.urls import reverse

from surveys.authoring.draft_parameters import draft_parameters
from surveys.features.roster.models import Member
from surveys.features.roster.section import PERSONAL
from surveys.models import Launch, Tally
from surveys.parameters import OPEN, Ties, read
from surveys.parameters.budget import spent
from surveys.parameters.exact import drawing_channel, loss, tie_design
from surveys.responses import tallies
from surveys.responses.counting import count
from surveys.responses.ties_space import TieBits
from surveys.services.definitions import clone_survey
from surveys.strength import strength_of
from tests.builders import response
from tests.rosters import launched_network, links_of, network_survey
from tests.vectors.make_wire_vectors import rosters

SPACE = TieBits(5)
REPORTS = {0: "00000", 3: "10110", 5: "11111"}


@pytest.mark.parametrize("report", ["0000", "000000", "00002", "0000 ", "", 0, None, ["0"] * 5])
def test_a_report_is_a_string_of_as_many_bits_as_there_are_others(report):
    assert SPACE.check("01010") is None
    assert SPACE.check(report)[0] == "not_bits"


def test_a_tally_keeps_every_report_under_the_place_of_its_sender():
    counts = SPACE.count(REPORTS.items())
    assert counts == {"0": 0, "3": 0b10110, "5": 0b11111}
    assert json.loads(json.dumps(counts)) == counts
    assert {
        place: "".join(map(str, row.tolist())) for place, row in SPACE.rows(counts).items()
    } == REPORTS
    assert SPACE.array(counts).tolist() == [7, 8]
    assert SPACE.people(counts) == 3
    assert SPACE.people(None) == 0
    assert SPACE.array(None).tolist() == [0, 0]


def test_tallies_are_merged_whatever_the_order():
    items = list(REPORTS.items())
    whole = SPACE.count(items)
    assert SPACE.count(reversed(items)) == whole
    first, rest = SPACE.count(items[:1]), SPACE.count(items[1:])
    assert SPACE.add(first, rest) == SPACE.add(rest, first) == SPACE.add(None, whole) == whole
    assert SPACE.subtract(whole, first) == rest
    assert SPACE.subtract(whole, whole) == {}


def test_a_tally_loses_only_what_it_has():
    whole = SPACE.count(REPORTS.items())
    for other in (SPACE.count([(1, "00000")]), SPACE.count([(3, "00000")])):
        with pytest.raises(ValueError, match="no reports to lose"):
            SPACE.subtract(whole, other)


def test_long_rosters_are_whole_after_json():
    space, rng = TieBits(999), np.random.default_rng(14)
    sent = {place: "".join(rng.choice(["0", "1"], size=999)) for place in range(20)}
    counts = json.loads(json.dumps(space.count(sent.items())))
    assert {place: "".join(map(str, row)) for place, row in space.rows(counts).items()} == sent


def test_reports_of_one_response_are_counted_by_member_and_by_answer():
    parameters = read_rosters()
    strata = {"friends": "page", "lends": "page", "smokes": "page"}
    contents = [
        {"reports": {"friends": "1000", "smokes": 1}, "strata": strata, "member": "B.3"},
        {"reports": {"friends": "0001", "lends": "1111"}, "strata": strata, "member": "a01"},
    ]
    assert count(contents, parameters) == {
        ("friends", "page"): {"0": 1, "2": 8},
        ("lends", "page"): {"0": 15},
        ("smokes", "page"): [0, 1],
    }


def read_rosters():
    return read(rosters())


def test_epsilon_is_that_of_a_tie_and_all_ties_are_counted_for_a_person():
    """ln 3 for a tie of 12 against 4 of 16; four others, twice; and a question of ln 3."""
    parameters = read_rosters()
    friends, _lends, smokes = parameters.devices
    assert isinstance(friends.table, Ties)
    assert loss(friends.table) == pytest.approx(np.log(3))
    assert tie_design(friends.table).integers.tolist() == [[12, 4], [4, 12]]
    channel = drawing_channel(friends, parameters.questions[0])
    assert channel.epsilon == pytest.approx(4 * np.log(3))
    assert str(spent(parameters.devices)) == "3.3"
    assert strength_of(parameters.devices).question == 110
    assert strength_of(parameters.devices).person == 989
    assert strength_of([smokes]).person == 110


# --- stored -------------------------------------------------------------------------------------


def answered(client, launch: Launch, code: str, link: str, friends: str) -> int:
    body = response(launch, reports={"friends": friends, "smokes": 0}) | {"link": link}
    address = reverse("responses", args=[launch.survey.slug])
    return client.post(address, json.dumps(body), content_type="application/json").status_code


@pytest.mark.django_db
@pytest.mark.any_database
def test_stored_reports_are_aggregated_with_their_members(client, settings):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launch = launched_network()
    links = links_of(launch.survey)
    sent = {code: f"{number:011b}" for number, code in enumerate(links)}
    for code, friends in sent.items():
        assert answered(client, launch, code, links[code], friends) == 201
    assert tallies.aggregate_waiting(launch.pk) == 12
    stored = Tally.objects.get(launch=launch, table="friends").counts
    assert stored == {str(number): number for number in range(12)}
    _launch, aggregated = tallies.snapshot(launch.pk)
    assert aggregated == tallies.recount(launch)
    assert tallies.audit(launch.pk)[1] == []
    by_member = {
        content["member"]: content["reports"]["friends"]
        for content in launch.report_sets.values_list("content", flat=True)
    }
    assert by_member == sent
    assert not Member.objects.filter(answered=False).exists()


@pytest.mark.django_db
def test_what_is_frozen_has_the_roster_and_no_name():
    launch = launched_network()
    assert launch.parameters.members.codes == tuple(f"m{number:03}" for number in range(1, 13))
    assert launch.parameters.members.groups == ("Late", "Early")
    assert "Member" not in json.dumps(launch.document)
    assert [question.directed for question in launch.parameters.questions] == [False, True, None]
    assert launch.parameters.devices[0].table.bits == 11


@pytest.mark.django_db
def test_a_roster_of_another_mode_is_not_frozen():
    survey = network_survey(mode=OPEN, questions=[{}])
    assert draft_parameters(survey=survey).roster is None


@pytest.mark.django_db
def test_a_copy_has_no_roster_of_its_own():
    survey = network_survey()
    copy = clone_survey(survey=survey, owner=survey.owner)
    assert copy.mode == PERSONAL
    assert copy.members.count() == 0
