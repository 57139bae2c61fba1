"""Results by tier: those of an ordinary survey that was asked with this tier's devices only."""

import csv
import io
import itertools
import json
import re
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from surveys.models import DrawnFigures, Result, Tally
from surveys.parameters import at_step, digest_of, digest_of_json, read
from surveys.parameters.budget import spent, text_of
from surveys.responses import tallies
from surveys.responses.counting import count
from surveys.results.release import release_of
from surveys.services.drawn_figures import figures_of
from surveys.services.results import lagging_launches, refresh_results
from tests.app.test_downloads_reproduce import tallies_of_file
from tests.builders import launched, make_user
from tests.plain import content_of, results_document
from tests.tiers import NAMES, TIERS, address, entries_of, fetch, filled, read_by, simulate, tiered

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
any_database = pytest.mark.any_database
LINKAGES = pytest.mark.parametrize("linkage", ["together", "apart"])
NUMBERS = (1, 2, 3)


def projected(content, step):
    """Return what the tier of a step gets of a response, by hand."""
    reports = {
        name: report[step] if isinstance(report, list) else report
        for name, report in content["reports"].items()
    }
    return {**content, "reports": reports}


@LINKAGES
def test_a_tier_has_the_results_of_an_ordinary_survey(linkage):
    launch = tiered(linkage=linkage)
    sent = simulate(launch, 150)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    for step in range(3):
        parameters = at_step(launch.parameters, step)
        assert parameters.tiers == ()
        counts = count([projected(content, step) for content in sent], parameters)
        wanted = results_document(parameters, digest_of(parameters), counts, len(sent))
        content = content_of(launch, step)
        assert content == wanted
        assert content["epsilon"]["spent"] == text_of(spent(parameters.devices))
        assert content["sources"][0]["epsilon"] == text_of(spent(parameters.devices))
    spends = [content_of(launch, step)["epsilon"]["spent"] for step in range(3)]
    assert spends == ["1.65", "3.3", "6.6"]
    assert content_of(launch) == content_of(launch, 0)


def test_all_tiers_move_together_and_by_the_same_batches():
    launch = tiered(release_batch=5)
    shown = []
    for arriving in (31, 4, 2):
        simulate(launch, arriving, seed=arriving)
        refresh_results(launch_id=launch.pk)
        results = Result.objects.filter(launch=launch).order_by("step")
        assert [result.step for result in results] == [0, 1, 2]
        assert len({(result.responses, result.revision) for result in results}) == 1
        shown.append(results[0].responses)
    # A batch stays back while the survey is open, and four are no batch.
    assert shown == [26, 26, 32]


def test_a_result_of_any_tier_that_is_missing_or_old_is_made_anew():
    launch = filled(30)
    assert list(lagging_launches()) == []
    for step in range(3):
        Result.objects.filter(step=step).delete()
        assert list(lagging_launches()) == [launch.pk]
        refresh_results(launch_id=launch.pk)
        assert list(lagging_launches()) == []
        Result.objects.filter(step=step).update(revision=0)
        assert list(lagging_launches()) == [launch.pk]
        refresh_results(launch_id=launch.pk)
    assert Result.objects.count() == 3


@LINKAGES
def test_report_sets_of_different_tiers_have_nothing_in_common(linkage):
    """Neither a key nor the order of the keys joins what one person sent to two tiers."""
    launch = filled(200, linkage=linkage)
    rows = [
        list(launch.report_sets.filter(step=step).order_by("pk").values_list("pk", "content"))
        for step in range(3)
    ]
    people = 200 if linkage == "together" else 200 * 6
    assert [len(each) for each in rows] == [people] * 3
    assert len({pk for each in rows for pk, _ in each}) == 3 * people
    assert not any(
        isinstance(report, list)
        for each in rows
        for _, content in each
        for report in content["reports"].values()
    )
    if linkage == "together":
        # Direct answers are the same in all tiers, and stand in another order in each.
        sizes = [[content["reports"]["size"] for _, content in each] for each in rows]
        assert sorted(sizes[0]) == sorted(sizes[1]) == sorted(sizes[2])
        assert not any(first == second for first, second in itertools.combinations(sizes, 2))


def test_recount_audits_the_tallies_of_every_tier(capsys):
    launch = filled(30)
    for step in range(3):
        assert tallies.audit(launch.pk, step)[1] == []
        assert tallies.snapshot(launch.pk, step)[1] == tallies.recount(launch, step)
    call_command("candor", "recount")
    assert "all tallies agree" in capsys.readouterr().out
    row = Tally.objects.get(step=2, table="drug")
    row.counts = [*row.counts[:-1], row.counts[-1] + 1]
    row.save()
    assert [tallies.audit(launch.pk, step)[1] for step in range(3)] == [[], [], [("drug", "page")]]
    with pytest.raises(CommandError, match="1 launch"):
        call_command("candor", "recount")
    assert "drug/page differs for Our own team" in capsys.readouterr().out


def test_figures_are_kept_for_each_tier_and_language():
    launch = filled(30)
    drawn = {
        (step, language): figures_of(release_of(launch, step), language)
        for step in range(3)
        for language in ("en", "de")
    }
    assert DrawnFigures.objects.count() == 6
    for (step, language), figures in drawn.items():
        assert figures_of(release_of(launch, step), language) == figures
    assert DrawnFigures.objects.count() == 6
    assert drawn[0, "en"] != drawn[1, "en"] != drawn[2, "en"] != drawn[0, "en"]


# --- downloads ----------------------------------------------------------------------------------


def download(client, launch, name, number=None):
    answer = fetch(client, address(launch, name, number))
    assert answer.status_code == 200, name
    return answer.text_read


@any_database
@LINKAGES
def test_the_export_of_a_tier_reproduces_its_numbers_to_the_last_digit(client, linkage):
    launch = filled(120, linkage=linkage)
    for number in NUMBERS:
        reader = make_user(f"reader-{number}")
        read_by(launch, reader, number)
        client.force_login(reader)
        parameters = json.loads(download(client, launch, "results-parameters"))
        document = json.loads(download(client, launch, "results-json"))
        assert digest_of_json(parameters) == parameters["digest"] == document["digest"]
        counts = tallies_of_file(download(client, launch, "reports-csv"), parameters)
        recomputed = results_document(
            read(parameters), parameters["digest"], counts, document["responses"]
        )
        assert json.loads(json.dumps(recomputed)) == document, number


@any_database
@LINKAGES
def test_files_of_a_lower_tier_have_nothing_of_a_higher_one(client, linkage):
    """No entry of a table, no epsilon, no column, no digest and no file name of another tier."""
    launch = filled(120, linkage=linkage)
    client.force_login(launch.survey.owner)
    devices = launch.document["devices"]
    for number in NUMBERS:
        own = entries_at(devices, number)
        foreign = set().union(*(entries_at(devices, other) for other in NUMBERS)) - own
        # Entries as short as these are other things too.
        foreign = {entry for entry in foreign if len(entry) > 5}
        assert len(foreign) > 10
        digests = {launch.digest_at(other - 1) for other in NUMBERS} - {
            launch.digest_at(number - 1)
        }
        for name in NAMES:
            # No survey with tiers has groups of questions, arms or texts in people's own words, and
            # this one has no margins.
            absent = any(word in name for word in ("combin", "weighted", "arms", "free_texts"))
            if name in ("results", "summary-html", "results-certificate") or absent:
                continue
            text = download(client, launch, name, number)
            assert not foreign & set(re.findall(r"\d+", text)), (name, number)
            assert not any(digest in text for digest in digests), (name, number)
            assert "_tier_" not in text
            assert '"chain"' not in text
    rows = [
        list(csv.reader(io.StringIO(download(client, launch, "reports-csv", number))))
        for number in NUMBERS
    ]
    assert rows[0][0] == rows[1][0] == rows[2][0]
    assert len({len(each) for each in rows}) == 1


def entries_at(devices, number):
    """The integers of the tables that a tier uses, as text."""
    entries = set()
    for device in devices:
        table = device["table"]
        step = table["steps"][number - 1] if table["form"] == "chain" else table
        entries |= {str(entry) for column in entries_of(step) for entry in column}
        entries |= {str(value) for value in step.values() if isinstance(value, int)}
    return entries


@any_database
def test_the_certificate_of_a_tier_is_not_here_either(client):
    launch = filled(30)
    client.force_login(launch.survey.owner)
    for number in NUMBERS:
        assert fetch(client, address(launch, "results-certificate", number)).status_code == 404


def test_below_the_threshold_no_tier_shows_anything(client):
    launch = filled(10, release_threshold=20)
    client.force_login(launch.survey.owner)
    for number in NUMBERS:
        assert content_of(launch, number - 1) is None
        assert fetch(client, address(launch, "results-json", number)).status_code == 403
        assert "Too few responses" in fetch(client, address(launch, "results", number)).text_read


@any_database
def test_public_parameters_have_the_whole_chain(client):
    """Respondents' browsers check it, so it is no secret of a tier."""
    launch = tiered()
    document = json.loads(fetch(client, reverse("parameters", args=["health"])).text_read)
    assert [tier["name"] for tier in document["tiers"]] == [name for name, _ in TIERS]
    assert len(document["devices"][0]["table"]["steps"]) == 3
    assert document["digest"] == launch.digest


def test_a_survey_without_tiers_pays_nothing(django_assert_num_queries):
    launch = launched()
    assert list(launch.steps) == [0]
    assert launch.parameters_at(0) is launch.parameters
    assert launch.digest_at(0) == launch.digest


# --- what tiers learn together --------------------------------------------------------------------


def degraded(degradation, size):
    """Chances of the lower report given the one above, from the served integers."""
    if degradation["form"] == "same":
        return [[Fraction(code == above) for code in range(size)] for above in range(size)]
    denominator = int(degradation["denominator"])
    if degradation["form"] == "uniform":
        kept, other = int(degradation["kept"]), int(degradation["other"])
        return [
            [Fraction(kept if code == above else other, denominator) for code in range(size)]
            for above in range(size)
        ]
    return [[Fraction(int(entry), denominator) for entry in row] for row in degradation["columns"]]


def law_of_lowest(table, tiers, truth):
    """{codes of the lowest tiers: their chance}: the sum over whatever the others would get."""
    steps = table["steps"]
    sizes = [len(step["reports"]) for step in steps]
    highest = entries_of(steps[-1])[truth]
    laws = {
        (code,): Fraction(entry, steps[-1]["denominator"]) for code, entry in enumerate(highest)
    }
    for step in reversed(range(len(steps) - 1)):
        chances = degraded(table["degradations"][step], sizes[step])
        laws = {
            (code, *codes): chance * chances[codes[0]][code]
            for codes, chance in laws.items()
            for code in range(sizes[step])
        }
    seen: dict = {}
    for codes, chance in laws.items():
        seen[codes[:tiers]] = seen.get(codes[:tiers], Fraction(0)) + chance
    return seen


@any_database
@pytest.mark.parametrize("device", ["drug", "reason", "hours", "took_1"])
@pytest.mark.parametrize("tiers", [2, 3])
def test_tiers_that_collude_learn_exactly_what_the_highest_of_them_does(device, tiers):
    """Every combination of codes that tiers 1 to k can lay side by side, in exact fractions.

    Its likelihood ratio of any two answers is that of the highest tier's code alone, so that no
    test, prior or number of respondents makes the lower reports worth anything beside it.
    """
    document = tiered().document
    (table,) = [entry["table"] for entry in document["devices"] if entry["id"] == device]
    truths = len(entries_of(table["steps"][-1]))
    # The ratios of a line are between its ends; those in the middle are not needed.
    chosen = range(truths) if truths <= 10 else (0, 1, truths // 2, truths - 1)
    laws = {truth: law_of_lowest(table, tiers, truth) for truth in chosen}
    step = table["steps"][tiers - 1]
    alone = entries_of(step)
    seen = 0
    for first, second in itertools.permutations(chosen, 2):
        for codes, chance in laws[first].items():
            if chance or laws[second][codes]:
                seen += 1
                # chance / other == entry / other entry, without a division by zero
                assert (
                    chance * alone[second][codes[-1]]
                    == laws[second][codes] * alone[first][codes[-1]]
                )
    assert seen > len(table["steps"])
    # Each tier alone has exactly the table that it is told.
    for truth, law in laws.items():
        assert sum(law.values()) == 1
        margin = [
            sum(chance for codes, chance in law.items() if codes[-1] == code)
            for code in range(len(step["reports"]))
        ]
        assert margin == [Fraction(entry, step["denominator"]) for entry in alone[truth]]


@any_database
def test_reports_that_are_drawn_apart_would_be_found_out():
    """The attack has teeth: two tiers whose reports are independent learn more together."""
    document = tiered().document
    (table,) = [entry["table"] for entry in document["devices"] if entry["id"] == "drug"]
    low, high = (entries_of(step) for step in table["steps"][1:])
    together = max(
        Fraction(low[first][code] * high[first][code], low[second][code] * high[second][code])
        for first, second in itertools.permutations(range(3), 2)
        for code in range(3)
    )
    alone = max(
        Fraction(high[first][code], high[second][code])
        for first, second in itertools.permutations(range(3), 2)
        for code in range(3)
    )
    assert together > alone


def joined(rows, keys):
    """Rows of two files put together where direct answers make one of each the only candidate."""
    by_key = [{}, {}]
    for side, table in enumerate(rows):
        for row in table:
            by_key[side].setdefault(tuple(row[key] for key in keys), []).append(row)
    return [
        (by_key[0][key][0], by_key[1][key][0])
        for key in by_key[0]
        if len(by_key[0][key]) == len(by_key[1].get(key, [])) == 1
    ]


@any_database
def test_two_tiers_that_join_their_downloads_guess_no_better(client):
    """A reader of tier 1 and one of tier 2 put their files side by side, line by line.

    The server's files cannot be joined but by direct answers. So the attackers are given more than
    they get: what each person sent to both. Their best guess, by likelihood, is that of tier 2
    alone for every single person.
    """
    launch = tiered(linkage="together", release_batch=1)
    sent = simulate(launch, 300, client=client)
    refresh_results(launch_id=launch.pk)
    files = {}
    for number in (1, 2):
        reader = make_user(f"reader{number}")
        read_by(launch, reader, number)
        client.force_login(reader)
        text = download(client, launch, "reports-csv")
        files[number] = list(csv.DictReader(io.StringIO(text)))
    # Line by line the two files are strangers: as often the same person's as chance has it.
    pairs = [(content["reports"]["reason"][0], content["reports"]["reason"][1]) for content in sent]
    wanted = sorted((str(low), str(high)) for low, high in pairs)
    lines = sorted(
        (first["reason"], second["reason"])
        for first, second in zip(files[1], files[2], strict=True)
    )
    assert lines != wanted
    assert sorted(row["reason"] for row in files[1]) == sorted(low for low, _ in wanted)
    # Direct answers tell three groups of people apart and nobody in them.
    assert joined((files[1], files[2]), ["size"]) == []
    # With the pairs in hand: the best guess is that of the higher tier alone, person by person.
    devices = {device["id"]: device["table"] for device in launch.document["devices"]}
    for name in ("drug", "reason"):
        table = devices[name]
        alone = entries_of(table["steps"][1])
        laws = [law_of_lowest(table, 2, truth) for truth in range(len(alone))]
        for low, high, _highest in {tuple(content["reports"][name]) for content in sent}:
            together = [law[low, high] for law in laws]
            by_itself = [column[high] for column in alone]
            assert [chance == max(together) for chance in together] == [
                entry == max(by_itself) for entry in by_itself
            ]
