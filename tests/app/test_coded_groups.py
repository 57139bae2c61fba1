"""Questions that are sent together in a survey with return codes: in all waves the same report."""

import threading
from collections import Counter
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from surveys.exceptions import NotReadyError
from surveys.features.return_codes.models import Participation
from surveys.features.return_codes.next_wave import next_parameters
from surveys.models import Launch, ReportSet, Submission
from surveys.parameters import Same, check, joint_of_all
from surveys.parameters.budget import Answered, spent, spent_over
from surveys.responses import tallies
from surveys.responses.pair_counts import ALL_PAIRS
from surveys.services.results import refresh_results
from tests.app.visible_text import visible_text
from tests.builders import owner
from tests.released import WITH_GROUP
from tests.waves import coded_launch, look_up, new_code, next_wave, post

pytestmark = pytest.mark.django_db

SHAPE = (2, 3, 4)
REPORTS = {"team": 1, "group_2": [1, 2, 3], "shift": 0}


def grouped_launch(**values):
    """A survey with return codes, three of whose questions are sent together."""
    return coded_launch(**{"questions": WITH_GROUP, "budget": Decimal(7), **values})


def codes_of(number):
    return [number % 2, number // 2 % 3, number // 6 % 4]


def answered_by(client, launch, people):
    """The codes of so many people who have answered this wave, each with its report."""
    sent = {new_code(): codes_of(number) for number in range(people)}
    for code, report in sent.items():
        assert post(client, launch, code, {**REPORTS, "group_2": report}).status_code == 201
    return sent


def in_results(launch):
    while refresh_results(launch_id=launch.pk):
        pass
    launch.refresh_from_db()
    return launch.results.get().content


# --- what is frozen -----------------------------------------------------------------------------


def test_a_later_wave_keeps_the_device_of_a_group_as_it_is():
    launch = grouped_launch()
    second = next_wave(launch, team="1.5")
    third = next_wave(second, team="2")
    (device,) = joint_of_all(launch.parameters)
    for later, waves in ((second, [1]), (third, [1, 2])):
        assert check(later.parameters) == later.parameters
        assert [each.id for each in later.parameters.devices] == ["team", "group_2", "shift"]
        (kept,) = joint_of_all(later.parameters)
        assert (kept.id, kept.table, kept.epsilon) == (device.id, device.table, "3.9")
        assert [earlier.wave for earlier in kept.earlier] == waves
        for earlier in kept.earlier:
            assert earlier.table == device.table
            assert earlier.degradation == Same()
    assert spent(third.parameters.devices) == Decimal("5.9")


def test_the_epsilon_of_a_group_cannot_be_raised():
    launch = grouped_launch()
    with pytest.raises(NotReadyError) as error:
        next_parameters(launch=launch, epsilons={"drink": Decimal(5)})
    (message,) = error.value.problems
    assert message.startswith("drink: An epsilon of 5 cannot be asked for.")
    assert "Questions 2 to 4 are sent together" in message
    assert "stays at 3.9" in message


@pytest.fixture
def author(client):
    client.force_login(owner())
    return client


def test_the_page_of_the_next_wave_says_why_a_group_has_no_field(author):
    launch = grouped_launch()
    page = reverse("admin:survey_next_wave", args=[launch.survey_id])
    shown = author.get(page)
    assert list(shown.context["form"].fields) == ["epsilon_team"]
    text = visible_text(shown.text)
    assert "Questions 2 to 4 are sent together." in text
    assert "stays at 3.9" in text
    assert "only be asked again as they are" not in text
    refused = author.post(page, {"epsilon_team": "2", "epsilon_drink": "5"})
    words = "epsilon_drink: An epsilon of “5” cannot be asked for. Questions 2 to 4"
    assert words in visible_text(refused.text)
    assert "digest" not in refused.context
    review = author.post(page, {"epsilon_team": "2"})
    assert "ε = 5.9 of 7; so far it is 4.9" in visible_text(review.text)
    author.post(page, {"epsilon_team": "2", "digest": review.context["digest"]})
    assert Launch.objects.get(wave=2).digest == review.context["digest"]


def test_in_a_later_wave_the_author_reads_the_same_of_the_group(author):
    launch = grouped_launch()
    page = reverse("admin:surveys_survey_change", args=[launch.survey_id])

    def of_the_group():
        words = visible_text(author.get(page).text)
        start = words.index("Have you ever taken a drug?")
        return words[start : words.index("Do you work at night?", start)]

    before = of_the_group()
    assert "sensitive · ε 3.9" in before
    next_wave(launch, team="2")
    assert of_the_group() == before


def test_a_survey_of_groups_alone_has_no_next_wave(author):
    launch = grouped_launch(questions=WITH_GROUP[1:4])
    shown = author.get(reverse("admin:survey_next_wave", args=[launch.survey_id]))
    assert "No question of this survey can be asked more exactly" in visible_text(shown.text)


# --- the ledger ---------------------------------------------------------------------------------


def test_a_group_counts_once_however_many_waves_it_is_sent_in():
    launch = grouped_launch()
    second = next_wave(launch, team="1.5")
    third = next_wave(second, team="2")
    everything = ("team", "group_2", "shift")
    first, then, last = (Answered(x.parameters, everything) for x in (launch, second, third))
    assert spent_over([first, then, last]) == spent_over([first, last]) == Decimal("5.9")
    # Left out in the first wave it is drawn in the second; left out in between, drawn once more.
    without = Answered(launch.parameters, ("team",))
    assert spent_over([without, then]) == Decimal("5.4")
    without = Answered(second.parameters, ("team",))
    assert spent_over([first, without]) == Decimal("5.4")
    assert spent_over([first, without, last]) == Decimal("9.8")


def test_whoever_comes_back_finds_the_report_and_adds_nothing_for_it(client):
    launch = grouped_launch()
    code = new_code()
    assert post(client, launch, code, REPORTS).status_code == 201
    later = next_wave(launch, team="2")
    found = look_up(client, launch, code).json()
    assert found["reports"] == {"team": 1, "group_2": [1, 2, 3]}
    assert found["ledger"] == [{"wave": 1, "epsilon": "4.9"}]
    assert post(client, later, code, REPORTS).status_code == 201
    assert look_up(client, later, code).json()["ledger"] == [
        {"wave": 1, "epsilon": "4.9"},
        {"wave": 2, "epsilon": "5.9"},
    ]
    assert Submission.objects.filter(launch=launch).count() == 0


def test_a_group_that_was_left_out_adds_its_whole_epsilon_later(client):
    optional = [{**question, "required": False} for question in WITH_GROUP]
    launch = grouped_launch(questions=optional)
    code = new_code()
    assert post(client, launch, code, {"team": 1}).status_code == 201
    later = next_wave(launch, team="2")
    assert "group_2" not in look_up(client, launch, code).json()["reports"]
    assert post(client, later, code, REPORTS).status_code == 201
    assert look_up(client, later, code).json()["total"] == "5.9"


def test_a_report_that_would_exceed_the_budget_is_refused(client):
    optional = [{**question, "required": False} for question in WITH_GROUP]
    launch = grouped_launch(questions=optional, budget=Decimal("5.9"))
    code = new_code()
    assert post(client, launch, code, REPORTS).status_code == 201
    second = next_wave(launch, team="1.5")
    assert post(client, second, code, {"team": 1}).status_code == 201
    third = next_wave(second, team="2")
    refused = post(client, third, code, REPORTS)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (409, "over_budget")


@pytest.mark.parametrize(
    ("report", "code"),
    [([1, 2], "not_a_tuple"), ([1, 3, 0], "out_of_range"), (1, "not_a_tuple")],
)
def test_what_is_no_report_of_the_group_is_refused_in_a_later_wave_too(client, report, code):
    launch = grouped_launch()
    later = next_wave(launch, team="2")
    refused = post(client, later, new_code(), {**REPORTS, "group_2": report})
    (error,) = refused.json()["errors"]
    assert (refused.status_code, error["field"], error["code"]) == (422, "reports.group_2", code)


@pytest.mark.django_db(transaction=True)
@pytest.mark.any_database
def test_of_two_answers_at_once_the_second_is_refused(client):
    launch = grouped_launch()
    code = new_code()
    post(client, launch, code, REPORTS)
    later = next_wave(launch, team="2")
    statuses = []

    def answer():
        statuses.append(post(Client(), later, code, REPORTS).status_code)
        connection.close()

    threads = [threading.Thread(target=answer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(statuses) == {201: 1, 409: 3}
    assert Participation.objects.filter(launch=later).count() == 1


# --- tallies ------------------------------------------------------------------------------------


def stored(launch):
    return {tally.table: tally.counts for tally in launch.tallies.all()}


def test_the_replaced_reports_leave_every_tally_of_the_group(client):
    launch = grouped_launch()
    sent = answered_by(client, launch, 24)
    tallies.aggregate_waiting(launch.pk)
    before = stored(launch)
    assert before["group_2"] == [1] * 24
    assert (before["drug"], before["drink"], before["stress"]) == ([12, 12], [8] * 3, [6] * 4)
    later = next_wave(launch, team="2")
    back = list(sent)[:10]
    for code in back:
        assert post(client, later, code, {**REPORTS, "group_2": sent[code]}).status_code == 201
    while tallies.aggregate_waiting(later.pk):
        pass
    first, second = stored(launch), stored(later)
    for table, counts in before.items():
        # Only the cells of all pairs that somebody is in are stored.
        if table not in ("team", "shift", ALL_PAIRS[0]):
            assert [a + b for a, b in zip(first[table], second[table], strict=True)] == counts
    assert sum(second["group_2"]) == sum(second["drug"]) == 10
    assert ReportSet.objects.filter(launch=launch).count() == 14
    for each in (launch, later):
        each.refresh_from_db()
        assert tallies.recount(each) == tallies.snapshot(each.pk)[1]
        assert tallies.audit(each.pk)[1] == []
