"""Results of a survey with a roster: what the document, the page and the files say, and do not."""

import csv
import io
import json
import re
import uuid
from decimal import Decimal

import numpy as np
import plotly.graph_objects as go
import pytest
from django.urls import reverse
from django.utils import translation

from surveys.exports.registry import all_exports
from surveys.features.roster.models import Member
from surveys.results.figures.questions import results_figures
from surveys.results.kinds.network_presentation import NAMES, WORDS, network_view
from surveys.results.notes import TEXTS
from surveys.results.release import release_of
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.app.test_downloads_reproduce import download
from tests.app.visible_text import visible_text
from tests.builders import make_user, owner
from tests.plain import content_of
from tests.rosters import launched_network, links_of, roster_rows

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
MEMBERS, MISSING = 24, 3
THRESHOLD = 10


def answered_network(
    *, members=MEMBERS, missing=MISSING, seed=1, groups=("Early", "Late"), **values
):
    """The launch after the reports of all members but the first; a third have most of the ties."""
    rows = roster_rows(members, groups)
    launch = launched_network(rows, release_threshold=THRESHOLD, **values)
    rng = np.random.default_rng(seed)
    devices = {device.id: device for device in launch.parameters.devices}
    popular = np.where(np.arange(members) % 3 == 0, 0.8, 0.2)
    ties = rng.random((members, members)) < np.outer(popular, popular)
    links = links_of(launch.survey)
    for place, code in enumerate(launch.parameters.members.codes):
        if place < missing:
            continue
        reports = {"smokes": int(rng.integers(2))}
        for name in ("friends", "lends"):
            table = devices[name].table
            chances = np.where(np.delete(ties[place], place), table.one, table.zero)
            bits = rng.random(table.bits) < chances / table.denominator
            reports[name] = "".join(map(str, bits.astype(int)))
        body = {
            "digest": launch.digest,
            "submission": str(uuid.UUID(bytes=rng.bytes(16), version=4)),
            "link": links[code],
            "reports": reports,
        }
        record_response(launch=launch, body=json.dumps(body).encode())
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


kept = kept_once(lambda: answered_network())


def questions_of(launch):
    return {question["id"]: question for question in content_of(launch)["questions"]}


def rows_of(client, launch, name="reports-csv"):
    client.force_login(owner())
    return list(csv.DictReader(io.StringIO(download(client, launch, name), newline="")))


# --- the document -------------------------------------------------------------------------------


def test_the_results_have_the_network_and_no_count_of_a_single_bit(launch):
    questions = questions_of(launch)
    friends, lends = (questions[name]["network"] for name in ("friends", "lends"))
    assert (friends["directed"], lends["directed"]) == (False, True)
    assert (friends["members"], friends["reporters"], friends["missing"]) == (24, 21, 3)
    for name in ("friends", "lends"):
        (device,) = questions[name]["devices"]
        # Bit k is nearly always about one and the same member.
        assert device["counts"] == []
    assert questions["smokes"]["categories"]
    assert "network" not in questions["smokes"]


def figures_of(launch):
    return results_figures(release_of(launch).content, None)


def test_no_name_code_or_missing_member_is_in_the_results(launch):
    content, survey = content_of(launch), launch.survey
    with translation.override("en"):
        text = json.dumps([content, figures_of(launch)], ensure_ascii=False)
    for member in Member.objects.filter(survey=survey):
        assert member.name not in text
        assert f'"{member.code}"' not in text


def test_below_the_threshold_there_is_nothing(client):
    launch = answered_network(members=12, missing=12 - THRESHOLD + 1, slug="few")
    assert content_of(launch) is None


def test_figures_are_valid_and_say_what_the_numbers_say(launch):
    with translation.override("en"):
        figures = figures_of(launch)
    for key, figure in figures.items():
        go.Figure(figure)
        assert key.startswith("smokes") or "for one tie" in figure["layout"]["meta"]["source"]
    (degrees,) = questions_of(launch)["friends"]["network"]["degrees"]
    *_whiskers, dots = figures["friends:undirected"]["data"]
    shares = [100 * row["estimate"] for row in degrees["shares"]]
    assert dots["x"] == pytest.approx(shares, abs=1e-3)
    network = questions_of(launch)["lends"]["network"]
    first, second = (row for row in figures["lends:mixing"]["data"][0]["z"] if row[0] is not None)
    densities = [cell["estimate"] for cell in network["mixing"]["cells"]]
    assert [*first, *second] == pytest.approx([100 * share for share in densities], abs=1e-3)


# --- the page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_shows_statistics_degrees_groups_and_both_levels_of_privacy(
    client, launch, language
):
    client.force_login(owner())
    response = client.get(
        reverse("results", args=[launch.survey.slug]), headers={"accept-language": language}
    )
    page = response.content.decode()
    text = visible_text(page)
    with translation.override(language):
        for question in release_of(launch).content.questions:
            view = network_view(question)
            if view is None:
                continue
            shown = [view.answered, *view.privacy, *view.reconstruction]
            shown += [each for row in view.rows for each in (row.label, row.estimate, row.interval)]
            for degrees in view.degrees:
                shown += [degrees.title, *(row.estimate for row in degrees.rows)]
            shown += [cell.estimate for row in view.mixing.rows for cell in row.cells]
            for words in shown:
                assert words.replace("\u00a0", " ") in text.replace("\u00a0", " "), words
        figures = figures_of(launch)
    drawn = {key for key in figures if key.startswith(("friends", "lends"))}
    assert drawn >= {"friends:mixing", "lends:mixing"}
    for key in drawn:
        assert f'data-key="{key}"' in page
    assert "21" in text


def test_the_groups_of_both_networks_are_drawn_and_no_member(client, launch):
    client.force_login(owner())
    page = client.get(reverse("results", args=[launch.survey.slug])).text
    for text in (page, download(client, launch, "summary-html")):
        drawn = re.findall(r'<svg class="groups".*?</svg>', text, re.DOTALL)
        networks = [each.network for each in release_of(launch).content.questions if each.network]
        assert len(drawn) == len(networks) == 2
        for svg, network in zip(drawn, networks, strict=True):
            groups = [group for group in network.mixing.groups if group.shown]
            assert svg.count("groups__circle") == len(groups)
            assert ("groups__head" in svg) == network.directed
        assert text.count("Who is tied to whom is drawn nowhere, because nobody knows.") == 2


def test_the_summary_has_the_same(client, launch):
    client.force_login(owner())
    text = visible_text(download(client, launch, "summary-html"))
    assert "Person level" in text
    assert "Transitive triples" in text


def test_every_statistic_has_a_name_and_words(launch):
    for question in questions_of(launch).values():
        for row in question.get("network", {"statistics": []})["statistics"]:
            assert row["name"] in NAMES
            assert row["name"] in WORDS
    assert {
        *("members_missing", "network_too_few", "network_outside", "ratio_unknown"),
        "variance_not_positive",
    } <= TEXTS.keys()


# --- the files ----------------------------------------------------------------------------------


def test_reports_have_the_code_of_their_sender_and_a_column_for_each_member(client, launch):
    rows = rows_of(client, launch)
    codes = launch.parameters.members.codes
    columns = [f"{name}.{code}" for name in ("friends", "lends") for code in codes]
    assert list(rows[0]) == ["member", *columns, "smokes"]
    assert sorted(row["member"] for row in rows) == list(codes[MISSING:])
    for row in rows:
        for column in columns:
            own = column.endswith(f".{row['member']}")
            assert row[column] in ({"-2"} if own else {"0", "1"})


def test_no_file_has_a_name(client, launch):
    client.force_login(owner())
    urls = [f"{export.name}-csv" for export in all_exports() if export.exists(launch.parameters)]
    urls += ["reports-codebook-json", "estimates-codebook-json", "results-json", "summary-html"]
    for name in (*urls, "results-parameters"):
        text = download(client, launch, name)
        assert "Member 1" not in text, name
        assert text


def test_codebooks_say_what_the_columns_are(client, launch):
    client.force_login(owner())
    columns = json.loads(download(client, launch, "reports-codebook-json"))["columns"]
    described = {column["name"]: column for column in columns}
    assert described["member"]["type"] == "text"
    values = described["lends.m001"]["values"]
    assert [value["code"] for value in values] == [0, 1]
    # In the language of the survey, whatever the reader's.
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    entries = [row for row in rows_of(client, launch, "codebook-csv") if row["code"]]
    ties = [row for row in entries if row["family"] == "tie_bits"]
    assert len(ties) == 2 * 2 * MEMBERS
    assert ties[0]["variable"] == "friends.m001"
    assert {row["report"] for row in ties} == {"sent as not ticked", "sent as ticked"}


def test_estimates_have_a_row_for_each_number(client, launch):
    rows = rows_of(client, launch, "estimates-csv")
    networks = {name: questions_of(launch)[name]["network"] for name in ("friends", "lends")}
    for name, network in networks.items():
        own = [row for row in rows if row["question"] == name]
        count = len(network["statistics"]) + len(network["mixing"]["cells"])
        count += sum(len(found["shares"]) for found in network["degrees"])
        assert len(own) == count
        (ties,) = [row for row in own if row["answer"] == "ties"]
        assert float(ties["estimate"]) == network["statistics"][0]["estimate"]
        assert float(ties["high"]) == network["statistics"][0]["interval"][1]
        assert ties["share_of"] == "network"
    between = {(row["group"], row["answer"]) for row in rows if row["share_of"] == "pairs"}
    assert between == {("Early", "Early"), ("Early", "Late"), ("Late", "Early"), ("Late", "Late")}


def test_the_program_of_the_guide_gives_the_same(client, launch, tmp_path):
    client.force_login(owner())
    files = []
    for name in ("results-parameters", "reports-csv"):
        files.append(tmp_path / name)
        files[-1].write_text(download(client, launch, name), encoding="utf-8", newline="")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python networks")
    printed = {row["id"]: row for row in map(json.loads, run_python(program, *files).splitlines())}
    questions = questions_of(launch)
    for name in ("friends", "lends"):
        network = questions[name]["network"]
        again = printed[name]
        assert again["statistics"] == network["statistics"]
        assert again["privacy"] == network["privacy"]
        assert again["degrees"] == network["degrees"]
        assert again["mixing"] == network["mixing"]["cells"]
        assert again["reconstruction"] == network["reconstruction"]
    assert Decimal(launch.parameters.epsilon) == 4


def test_reports_that_say_who_answered_are_for_those_whom_the_author_names(client, launch):
    survey = launch.survey
    survey.results_public = True
    survey.save()
    researcher, visitor = make_user("researcher"), make_user("visitor")
    survey.researchers.add(researcher)
    files = [reverse(name, args=[survey.slug]) for name in ("reports-csv", "reports-codebook-json")]
    page = reverse("results", args=[survey.slug])
    for user, named in ((None, False), (visitor, False), (researcher, True), (owner(), True)):
        client.logout() if user is None else client.force_login(user)
        answers = [client.get(address) for address in files]
        # An unread stream would keep its database cursor.
        assert all(answer.getvalue() for answer in answers)
        assert {answer.status_code for answer in answers} == {200 if named else 404}
        html = client.get(page).text
        assert [address in html for address in files] == [named, named]
        assert reverse("estimates-csv", args=[survey.slug]) in html
