"""The design workbench: what can be asked, where a guess comes from, who may start."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from surveys.admin.figures.search_words import points_of
from surveys.admin.pages.workbench.guess import smooth_shares
from surveys.models import DesignSearch, Question
from surveys.services.transitions import close_survey
from tests.app.author_posts import sign_in
from tests.app.search_cases import CHOICE, OPTIONS, made
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner
from tests.german import english_in
from tests.released import released

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SETTINGS = {
    **{f"share-{index}": share for index, share in enumerate(("50", "25", "15", "10"))},
    **{"n": "1000", "delta": "75", "epsilon": "1", "origin": ""},
    **{"methods": ["optrr", "certified"], "generations": "60", "levels": "4", "seed": "3"},
}


def address(question, name="workbench", *arguments):
    return reverse(f"admin:survey_{name}", args=[question.survey_id, question.pk, *arguments])


def drafted(**values):
    return make_survey(questions=[{**CHOICE, **values}]).questions.get()


def start(client, question, **changes):
    return sign_in(client).post(address(question), {**SETTINGS, **changes})


def test_a_search_is_asked_for_in_the_engines_terms(client):
    question = drafted()
    response = start(client, question)
    search = DesignSearch.objects.get()
    assert response.url == address(question, "search", search.pk)
    assert (search.state, search.created_by, search.question) == ("queued", owner(), question)
    assert search.request == {
        "format": 1,
        "labels": OPTIONS,
        "prior": ["0.5", "0.25", "0.15", "0.1"],
        "origin": {"kind": "typed"},
        "n": 1000,
        "delta": "0.75",
        "epsilon": "1",
        "methods": ["certified", "optrr"],
        "generations": 60,
        "levels": 4,
        "seed": 3,
    }


def test_without_an_epsilon_there_is_no_bound_on_it(client):
    start(client, drafted(), epsilon="")
    assert DesignSearch.objects.get().request["epsilon"] is None


def test_the_form_starts_from_the_plan_and_the_question(client):
    survey = make_survey(planned_n=700, questions=[{**CHOICE, "epsilon": Decimal("1.5")}])
    form = sign_in(client).get(address(survey.questions.get())).context["form"]
    assert (form["n"].value(), form["epsilon"].value()) == (700, "1.5")
    assert sum(field.value() for field in form.share_fields()) == 100
    assert form["delta"].value() == 75


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"share-0": "60"}, "share-0", "add up to 110\u00a0%"),
        ({"share-0": "75", "share-1": "0"}, "share-1", "at least 0.01 %"),
        ({"share-0": "-1"}, "share-0", "greater than or equal to 0"),
        ({"delta": "50"}, "delta", "more than 50 and less than 100"),
        ({"delta": "100"}, "delta", "less than 100"),
        ({"delta": "12345678901"}, "delta", "less than 100"),
        ({"epsilon": "9"}, "epsilon", "8 at most"),
        ({"epsilon": "0"}, "epsilon", "greater than or equal to 0.01"),
        ({"n": "1"}, "n", "greater than or equal to 2"),
        ({"n": "99999999999999999999"}, "n", "less than or equal to 10000000"),
        ({"methods": []}, "methods", "at least one"),
        ({"methods": ["magic"]}, "methods", "Select a valid choice"),
        ({"generations": "0"}, "generations", "greater than or equal to 1"),
        ({"levels": "101"}, "levels", "less than or equal to 100"),
        ({"seed": "-1"}, "seed", "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_searched_for_is_refused_with_what_can(client, changes, field, says):
    response = start(client, drafted(), **changes)
    assert response.status_code == 200
    assert says in " ".join(response.context["form"].errors[field])
    assert not DesignSearch.objects.exists()


def test_one_search_of_a_question_at_a_time(client):
    question = drafted()
    start(client, question)
    response = start(client, question)
    assert "under way" in visible_text(response.text)
    assert DesignSearch.objects.count() == 1


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"kind": "multiple_choice", "design": "per_option"}, "any number may be ticked"),
        ({"randomized": False}, "asked directly"),
        ({"options": [str(number) for number in range(13)]}, "takes 2 to 12 answers"),
        ({"options": ["Only"]}, "takes 2 to 12 answers"),
    ],
)
def test_a_question_that_no_search_is_for_says_why(client, values, says):
    question = drafted(**values)
    page = sign_in(client).get(address(question))
    assert page.context["form"] is None
    assert says in visible_text(page.text)
    start(client, question)
    assert not DesignSearch.objects.exists()


def test_a_launched_survey_shows_searches_and_starts_none(client):
    launch = launched(questions=[CHOICE])
    question = launch.survey.questions.get()
    made(question)
    page = start(client, question)
    assert "devices are frozen" in visible_text(page.text)
    assert page.text.count("found__one") == 1
    assert DesignSearch.objects.count() == 1


def test_earlier_searches_are_listed_used_again_and_deleted(client):
    question = drafted()
    assert "None yet." in visible_text(sign_in(client).get(address(question)).text)
    search = made(question)
    page = client.get(address(question))
    text = visible_text(page.text)
    area = max(front["hypervolume"] for front in search.content["fronts"].values())
    assert "Never 50 % · Once 25 % · Often 15 % · Daily 10 %" in text
    assert f"best area so far {area:.4f}" in text
    assert f"?again={search.pk}" in page.text
    form = client.get(address(question), {"again": search.pk}).context["form"]
    assert [field.value() for field in form.share_fields()] == ["50", "25", "15", "10"]
    assert (form["delta"].value(), form["generations"].value()) == ("75", 60)
    client.post(address(question, "search_delete", search.pk))
    assert not DesignSearch.objects.exists()


def test_a_list_of_searches_reads_no_contents(client, django_assert_num_queries):
    question = drafted()
    made(question, content={}, state="queued")
    sign_in(client).get(address(question))
    with CaptureQueriesContext(connection) as queries:
        client.get(address(question))
    for _ in range(3):
        made(question)
    with django_assert_num_queries(len(queries)) as four:
        client.get(address(question))
    columns = '"surveys_designsearch"."request", "surveys_designsearch"."content"'
    assert columns in str(question.searches.all().query)
    assert not [query for query in four.captured_queries if columns in query["sql"]]


def test_an_unfinished_search_is_not_deleted_and_a_queued_one_stops_at_once(client):
    question = drafted()
    start(client, question)
    search = DesignSearch.objects.get()
    answer = client.post(address(question, "search_delete", search.pk), follow=True)
    assert "Stop it first" in visible_text(answer.text)
    client.post(address(question, "search_stop", search.pk))
    search.refresh_from_db()
    assert search.state == "cancelled"


# --- a guess from a closed survey -----------------------------------------------------------------


def closed_survey(counts=(5, 5, 0, 0), **values):
    rows = [{"q1": code} for code, count in enumerate(counts) for _ in range(count)]
    usual = {"slug": "before", "title": "Last year", "questions": [CHOICE]}
    launch = released(rows, **{**usual, "release_threshold": 1, **values})
    close_survey(survey=launch.survey, actor=None)
    return launch


@pytest.mark.parametrize(
    "shares", [[0, 0, 1], [0.3, 0.2, 0.5], [0, 0.5, 0.5, 0], [1 / 14] * 14, [0.009, 0.991]]
)
def test_smoothing_leaves_nothing_below_one_percent_and_sums_to_one(shares):
    parts = [Fraction(part) for part in smooth_shares(shares)]
    assert sum(parts) == 1
    assert min(parts) >= Fraction(1, 100)
    above = [max(0, Fraction(share) - Fraction(1, 100)) for share in shares]
    room = (1 - Fraction(len(shares), 100)) / sum(above)
    expected = [Fraction(1, 100) + share * room for share in above]
    assert all(abs(a - b) < Fraction(2, 1000) for a, b in zip(parts, expected, strict=True))


def test_a_guess_is_taken_over_and_says_so_until_it_is_edited(client):
    launch, question = closed_survey(), drafted()
    page = sign_in(client).get(address(question), {"from": f"{launch.pk}:q1"})
    assert "From “Last year”" in visible_text(page.text)
    filled = {name: page.context["form"][name].value() for name in page.context["form"].names}
    assert sum(map(Decimal, map(str, filled.values()))) == 100
    # Constrained to 0 or more, the answers that nobody reported are raised to 1 %.
    assert [float(share) for share in filled.values()][2:] == [1, 1]
    start(client, question, **filled, origin=f"{launch.pk}:q1")
    origin = DesignSearch.objects.get().request["origin"]
    expected = {"kind": "survey", "slug": "before", "title": "Last year", "version": 1}
    assert origin == {**expected, "question": "q1", "responses": 10}
    DesignSearch.objects.all().delete()
    start(client, question, origin=f"{launch.pk}:q1")
    assert DesignSearch.objects.get().request["origin"] == {"kind": "typed"}


@pytest.mark.parametrize("case", ["other", "threshold", "size", "open"])
def test_no_guess_from_what_this_author_may_not_see_or_use(client, case):
    values = {
        "other": {"owned_by": make_user("b", author=True)},
        "threshold": {"release_threshold": 11},
        "size": {},
        "open": {},
    }[case]
    launch = closed_survey(**values)
    if case == "open":
        type(launch.survey).objects.update(state="open")
    question = drafted(options=OPTIONS[:3] if case == "size" else OPTIONS)
    page = sign_in(client).get(address(question), {"from": f"{launch.pk}:q1"})
    assert page.context["sources"] == []
    assert "Last year" not in page.text


@pytest.mark.parametrize("key", ["", "x", "1", "1:", "0:q1", "9" * 30 + ":q1", "²:q1", "-1:q1"])
def test_a_made_up_source_fills_nothing(client, key):
    closed_survey()
    page = sign_in(client).get(address(drafted()), {"from": key, "again": key})
    assert (page.status_code, page.context["source"]) == (200, None)


# --- who, and in which language -------------------------------------------------------------------


def test_only_its_author_and_only_its_own_questions_and_searches(client):
    question, theirs = drafted(), None
    other = make_survey(slug="other", owned_by=make_user("b", author=True), questions=[CHOICE, {}])
    theirs, second = other.questions.all()
    search = made(theirs)
    for name in ("search", "search_status", "search_point", "search_record", "search_table"):
        assert sign_in(client).get(address(theirs, name, search.pk)).status_code == 404
        mixed = [question.survey_id, question.pk, search.pk]
        assert client.get(reverse(f"admin:survey_{name}", args=mixed)).status_code == 404
    for name in ("search_stop", "search_delete", "search_adopt"):
        assert client.post(address(theirs, name, search.pk)).status_code == 404
        assert client.get(address(theirs, name, search.pk)).status_code in (404, 405)
    assert client.get(address(theirs)).status_code == 404
    assert start(client, theirs).status_code == 404
    sign_in(client, other.owner)
    assert client.get(address(second, "search", search.pk)).status_code == 404
    assert client.get(address(theirs, "search", search.pk)).status_code == 200
    assert Question.objects.count() == 3


@pytest.mark.parametrize("name", ["search_stop", "search_delete", "search_adopt"])
def test_nothing_changes_without_a_token(name):
    """A HEAD is sent without one from anywhere, like a GET."""
    question = drafted()
    search = made(question, state="queued" if name == "search_stop" else "done")
    point = points_of(search.content)[0].key
    client = sign_in(Client(enforce_csrf_checks=True))
    where = address(question, name, search.pk)
    before = list(DesignSearch.objects.values()), list(Question.objects.values())
    answered = [ask(where, {"point": point}).status_code for ask in (client.head, client.get)]
    assert answered == ([200, 200] if name == "search_adopt" else [405, 405])
    assert client.post(where, {"point": point}).status_code == 403
    assert (list(DesignSearch.objects.values()), list(Question.objects.values())) == before


def test_every_page_speaks_german(client):
    survey = make_survey(language="de", questions=[{**CHOICE, "text": "Wie oft?"}])
    survey.title, question = "Gesundheit", survey.questions.get()
    survey.save()
    finished, free = made(question), made(question, None)
    point = f"certified:{finished.content['fronts']['certified']['members'][0]['privacy']}"
    paths = [
        address(question),
        *(address(question, "search", search.pk) for search in (finished, free)),
    ]
    paths += [f"{address(question, 'search_adopt', finished.pk)}?point={point}"]
    for state in ("failed", "lost", "cancelled", "running"):
        paths.append(address(question, "search", made(question, state=state, progress=0.5).pk))
    for path in paths:
        with translation.override("en"):
            page = sign_in(client).get(path, headers={"Accept-Language": "de"})
        # Without the labels of the figures, which are data: a script reads them.
        html = re.sub(r"<script.*?</script>", "", page.text, flags=re.DOTALL)
        assert english_in(visible_text(html)) == [], path
