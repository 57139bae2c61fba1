"""The results page and its figures on questions that were sent together."""

import csv
import html as markup
import io
import re
from collections import Counter
from decimal import Decimal

import numpy as np
import plotly.graph_objects as go
import pytest
from django.urls import reverse

from surveys import numbers
from surveys.models import Survey
from surveys.results.figures.questions import results_figures
from surveys.results.joint_questions.figures import MOST_DRAWN, MOST_PAIRS, combinations_figure
from surveys.results.joint_questions.presentation import joint_views
from surveys.results.release import release_of
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.builders import launched
from tests.plain import content_of
from tests.released import WITH_GROUP, answer, as_researcher, released, rich, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


# Four hundred people, for all tests that only read what is released of them.
kept = kept_once(lambda: with_groups(400, slug="kept"))


def page(client, language="en"):
    address = reverse("results", args=[Survey.objects.latest("pk").slug])
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return markup.unescape(response.content.decode())


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split()).replace("\u00a0", " ")


def part(html, start, end):
    _, _, rest = html.partition(start)
    return rest.partition(end)[0]


def test_the_page_has_every_combination_and_every_pair(client, launch):
    html = page(client)
    text = plain(html)
    (group,) = release_of(launch).content.joint
    (view,) = joint_views(release_of(launch))
    assert "drug × drink × stress n = 400 ε = 3.9 24 combinations" in text
    assert "All 24 combinations" in text
    table = part(html, 'id="combinations-together-group_2"', "</table>")
    assert table.count("<tr>") == 1 + 24
    for row in view.rows:
        assert row.label in table
        assert row.interval in table
    digits = numbers.common_digits(group.cells)
    assert view.rows[0].estimate == numbers.percent(group.cells[0].estimate, digits)
    for pair in ("drug-by-drink", "drug-by-stress", "drink-by-stress"):
        assert f'id="pair-{pair}"' in html
        assert f'href="#pair-{pair}"' in html
    assert html.count('data-key="group_2:joint"') == 1


def test_the_page_says_how_much_is_noise(client, launch):
    (group,) = launch.results.get().content["groups"]
    number = group["not_above_zero"]
    assert number > 1
    words = f"Of 24 combinations {number} cannot be told from 0 %: their 95 % intervals reach it."
    assert words in plain(page(client))


@pytest.mark.usefixtures("launch")
def test_a_question_says_with_which_others_it_was_sent(client):
    html = page(client)
    own = plain(part(html, 'id="question-drug"', "</section>"))
    assert "Sent in one report with drink, stress; ε is that of the whole report." in own
    assert "ε = 3.9" in own
    # One question is spoken of, not the sum over all.
    assert own.count("Suppose a guess at a real answer") == 1
    assert "All scrambled answers" not in own
    assert "whatever the other answers are" in own
    assert "The reports were drawn from exactly this table" not in own
    alone = plain(part(html, 'id="question-team"', "</section>"))
    assert "Sent in one report" not in alone
    assert "The reports were drawn from exactly this table" in alone


def test_the_device_of_a_group_adds_up(client, launch):
    (view,) = joint_views(release_of(launch))
    chances = [float(row.chance.replace("\u00a0%", "")) for row in view.changes]
    assert [row.changed for row in view.changes] == ["0", "1", "2", "3"]
    assert sum(chances) == pytest.approx(100, abs=0.03)
    assert all(row.chance in plain(page(client)).replace(" %", "\u00a0%") for row in view.changes)


def test_a_group_that_few_answered_says_so_and_shows_nothing(client):
    questions = [{**question, "required": "group" not in question} for question in WITH_GROUP]
    rows = [{"team": number % 2, "shift": 0} for number in range(60)]
    for row in rows[:13]:
        row["group_2"] = [0, 1, 2]
    values = {"release_threshold": 20, "budget": Decimal(6), "results_public": True}
    launch = released(rows, questions=questions, **values)
    text = plain(page(client))
    assert "Fewer people than the release threshold have answered these questions" in text
    assert "combinations with the largest estimates" not in text
    assert "How strongly the answers go together" not in text
    assert not [key for key in results_figures(release_of(launch).content, None) if ":" in key]


@pytest.mark.usefixtures("launch")
def test_german_words_and_numbers(client):
    text = plain(page(client, "de"))
    assert "Gemeinsam gesendete Fragen" in text
    assert re.search(r"Von 24 Kombinationen lassen sich \d+ nicht von 0 % unterscheiden", text)
    assert "Zusammen mit drink, stress in einer Meldung gesendet" in text


def test_a_survey_without_groups_does_not_speak_of_them(client):
    rich(60)
    text = plain(page(client))
    assert "sent together" not in text
    assert "Combinations of answers" not in text


def test_texts_of_the_author_are_escaped(client):
    hostile = {"text": "<script>alert(1)</script>", "options": ["<b>a</b>", "&amp;", "c"]}
    questions = [
        {**question, **(hostile if question["name"] == "drink" else {})} for question in WITH_GROUP
    ]
    launch = with_groups(60, questions=questions)
    raw = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "<script>alert" not in raw
    assert "<b>a</b>" not in raw
    figure = combinations_figure(release_of(launch).content.joint[0])
    assert "<b>" not in str(figure["layout"]["annotations"])
    assert "<script>" not in str(figure["layout"]["meta"])


# --- the figure ---------------------------------------------------------------------------------


def test_the_figure_has_the_largest_combinations_where_their_numbers_are(launch):
    (group,) = release_of(launch).content.joint
    figure = combinations_figure(group)
    go.Figure(figure)
    *_, reported, estimates = figure["data"]
    largest = group.cells[:MOST_DRAWN]
    assert estimates["x"] == pytest.approx([100 * row.estimate for row in largest], abs=1e-3)
    expected = [100 * row.reported_share for row in largest]
    assert reported["x"] == pytest.approx(expected, abs=1e-3)
    marks = np.array(estimates["y"])
    assert (np.diff(marks) >= 40).all()
    assert figure["layout"]["meta"]["source"] == "400 reports · ε = 3.9"


def test_every_pair_has_the_figures_of_a_cross_table(launch):
    figures = results_figures(release_of(launch).content, None)
    assert {key for key in figures if ":" in key} == {
        "group_2:joint",
        *(
            f"{pair}:{figure}"
            for pair in ("drug,drink", "drug,stress", "drink,stress")
            for figure in ("heat", "groups")
        ),
    }


def test_of_many_pairs_the_strongest_are_shown_in_full(client):
    """Six questions have 15 pairs; all have a line, and 12 a table with its figures."""
    question = {"kind": "yes_no", "group": 1, "epsilon": Decimal("0.6")}
    launch = released(
        [{"group_1": [number >> place & 1 for place in range(6)]} for number in range(64)],
        questions=[question] * 6,
        budget=Decimal(4),
        results_public=True,
    )
    (view,) = joint_views(release_of(launch))
    assert len(view.pairs) == 15
    assert len(view.tables) == MOST_PAIRS == 12
    assert {row.anchor for row in view.pairs if row.anchor} == {t.anchor for t in view.tables}
    html = page(client)
    assert html.count('<details class="pair"') == 12
    assert "The strongest pairs have a table below" in plain(html)
    figures = results_figures(release_of(launch).content, None)
    assert len([key for key in figures if key.endswith(":heat")]) == 12


# --- files of the page --------------------------------------------------------------------------


def test_the_summary_has_the_groups_too(client, launch):
    summary = client.get(reverse("summary-html", args=[launch.survey.slug])).content.decode()
    assert 'id="figure-group_2"' in summary
    assert 'id="figure-drug-by-drink"' in summary
    assert "combinations.csv" not in summary


def test_the_page_links_the_file_of_combinations(client, launch):
    html = page(client)
    assert reverse("combinations-csv", args=[launch.survey.slug]) in html
    assert reverse("combinations-codebook-json", args=[launch.survey.slug]) in html


# --- pairs that chance picks --------------------------------------------------------------------


def pilot(count):
    """Three questions, in pairs; the second pair has fewer people than the threshold."""
    questions = [{**question, "group": None} for question in WITH_GROUP[1:4]]
    values = {"release_threshold": 20, "budget": Decimal(3), "results_public": True}
    launch = launched(questions=questions, pilot=True, linkage="together", **values)
    strata = {"pair_1_2": (2, 3), "pair_1_3": (2, 4), "pair_2_3": (3, 4)}
    for stratum, (first, second) in strata.items():
        people = 7 if stratum == "pair_1_3" else count
        rows = [{"pair": [n % first, n // 2 % second]} for n in range(people)]
        answer(launch, rows, pair=stratum)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def test_a_pilot_shows_its_pairs_and_holds_back_the_small_one(client):
    launch = pilot(50)
    html = page(client)
    text = plain(html)
    assert "Pairs that chance picked" in text
    assert "Some pairs were answered by fewer people than the release threshold" in text
    assert 'href="#pair-drug-by-drink"' in html
    assert 'id="pair-drug-by-stress"' not in html
    assert "Asked of those for whom chance picked a pair" in part(
        html, 'id="question-drug"', "</section>"
    )
    content = content_of(launch)
    drug = content["questions"][0]
    assert (drug["n"], drug["suppressed"]) == (50, 7)
    assert [group["stratum"] for group in content["groups"]] == ["pair_1_2", "pair_1_3", "pair_2_3"]


def test_the_files_of_a_pilot_say_which_pair_a_person_was_asked(client):
    as_researcher(client, pilot(50))
    text = client.get(reverse("reports-csv", args=["health"])).getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    pairs = Counter((row["drug.stratum"], row["drink.stratum"]) for row in rows)
    # The seven whose pair is held back were asked something else than drink.
    assert pairs == {
        ("pair_1_2", "pair_1_2"): 50,
        ("not_asked", "pair_2_3"): 50,
        ("held_back", "not_asked"): 7,
    }
    cells = {"not_asked": "-3", "held_back": "-1"}
    others = [row for row in rows if row["drug.stratum"] != "pair_1_2"]
    assert all(row["drug"] == cells[row["drug.stratum"]] for row in others)
    text = client.get(reverse("combinations-csv", args=["health"])).getvalue().decode()
    groups = Counter(row["group"] for row in csv.DictReader(io.StringIO(text)))
    assert groups == {"pair_1_2": 6, "pair_2_3": 12}
