"""The pages of analyses: who sees and asks, what they say, and what they refuse."""

import html
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import AnalysisFit
from surveys.services.analysis_fits import MOST_EXPLORATORY, ask_again, fitted_values
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.app.test_analysis_fits import DECLARED, QUESTIONS, people, survey_of
from tests.builders import make_user
from tests.released import answer

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CHOICE = {
    "name": "By region",
    "event": ["1"],
    "link": "logit",
    "predictor_region": "categories",
    "predictor_stress": "number",
}
HOSTILE = [
    {"link": "magic"},
    {"event": ["7"]},
    {"event": ["0", "1"]},
    {"event": []},
    {"event": ["<b>"]},
    {"name": ""},
    {"name": "x" * 81},
    {"predictor_region": "", "predictor_stress": ""},
    {"predictor_region": "number"},
    {"predictor_region": "magic"},
]


def fitted(fit):
    AnalysisFit.objects.filter(pk=fit.pk).update(**fitted_values(fit))
    fit.refresh_from_db()
    return fit


def listing(launch):
    return reverse("results-analyses", args=[launch.survey.slug])


def address(launch, number=1, name="results-analysis"):
    return reverse(name, args=[launch.survey.slug, number])


def words_of(answer):
    text = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(html.unescape(text).split())


def ask(client, launch, outcome="drug", **changes):
    return client.post(f"{listing(launch)}?outcome={outcome}", {**CHOICE, **changes})


kept = kept_once(lambda: survey_of(people(120), results_public=True))


@pytest.fixture
def reader(client, launch):
    user = make_user("reader")
    client.force_login(user)
    return user


# --- who sees and who asks ----------------------------------------------------------------------


def test_the_results_page_leads_to_it(client, launch):
    page = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert f'href="{listing(launch)}"' in page


def test_everybody_who_sees_the_results_sees_the_analyses_and_may_sign_in_to_ask(client, launch):
    words = words_of(client.get(listing(launch)))
    assert "Who takes drugs" in words
    assert "Declared before launch" in words
    assert "Waiting for a worker" in words
    assert "Sign in to compose one" in words
    assert "Fit this model" not in words
    assert client.get(address(launch)).status_code == 200
    refused = ask(client, launch)
    assert refused.status_code == 302
    assert reverse("login") in refused.url
    assert AnalysisFit.objects.count() == 1


def test_nobody_else_learns_that_there_are_any(client):
    launch = survey_of(people(30), slug="hidden")
    for page in (listing(launch), address(launch)):
        assert reverse("login") in client.get(page).url
    client.force_login(make_user("stranger"))
    for page in (listing(launch), address(launch), address(launch, 99)):
        assert client.get(page).status_code == 404
    assert ask(client, launch).status_code == 404
    assert client.post(address(launch, name="analysis-again")).status_code == 404


def test_an_unknown_number_is_not_found(client, launch, reader):
    assert client.get(address(launch, 9)).status_code == 404
    assert client.post(address(launch, 9, "analysis-again")).status_code == 404
    assert client.post(address(launch, 9, "analysis-delete")).status_code == 404
    assert client.get(address(launch, 1, "analysis-again")).status_code == 405


def test_a_form_of_another_site_is_refused(launch):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_user("reader"))
    assert ask(strict, launch).status_code == 403
    assert strict.post(address(launch, 1, "analysis-again")).status_code == 403
    assert AnalysisFit.objects.count() == 1


def test_a_survey_that_keeps_answers_apart_says_so(client):
    values = {"linkage": "apart", "analyses": [], "results_public": True}
    launch = survey_of(people(30), slug="apart", **values)
    assert "There is nothing to analyse" in words_of(client.get(listing(launch)))
    page = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert listing(launch) not in page
    client.force_login(make_user("reader"))
    assert ask(client, launch).status_code == 409
    assert not launch.analysis_fits.exists()


def test_nothing_is_shown_below_the_threshold(client):
    launch = survey_of(people(10), slug="few", release_threshold=20, results_public=True)
    for page in (listing(launch), address(launch)):
        words = words_of(client.get(page))
        assert "Too few responses" in words
        assert "Coefficients" not in words
    client.force_login(make_user("reader"))
    assert ask(client, launch).status_code == 409


# --- composing ----------------------------------------------------------------------------------


def test_a_reader_asks_for_an_analysis_and_a_second_click_leads_to_the_same(client, launch, reader):
    form = words_of(client.get(f"{listing(launch)}?outcome=drug"))
    assert "Which answers count" in form
    assert "Where do you live?" in form
    asked = [ask(client, launch, predictor_mood="number") for _ in range(2)]
    for each in asked:
        assert each.status_code == 303
        assert each.url == address(launch, 2)
    row = AnalysisFit.objects.get(number=2)
    assert row.created_by == reader
    assert row.specification["predictors"] == [
        {"question": "mood", "scored": True},
        {"question": "region", "scored": False},
        {"question": "stress", "scored": True},
    ]
    page = words_of(client.get(address(launch, 2)))
    assert "Exploratory: asked for after the answers came in" in page
    assert "Waiting for a worker" in page
    # The declared one is the same row, whatever name somebody gives it.
    assert ask(client, launch, predictor_region="categories").url == address(launch)


def test_what_is_no_analysis_is_refused_with_a_word(client, launch, reader):
    for changes in HOSTILE:
        refused = ask(client, launch, **changes)
        assert refused.status_code == 400, changes
        assert 'role="alert"' in refused.content.decode()
        assert "<b>" not in refused.content.decode()
    assert AnalysisFit.objects.count() == 1


def test_an_unknown_outcome_is_refused_with_a_word(client, launch, reader):
    for outcome in ("nothing", "<b>", ""):
        refused = ask(client, launch, outcome=outcome)
        assert refused.status_code == 400
        assert "There is no such question" in words_of(refused)
    assert client.post(listing(launch), CHOICE).status_code == 400
    # The outcome itself among the predictors is no field of its form.
    assert ask(client, launch, predictor_drug="categories", predictor_region="").status_code == 303
    assert AnalysisFit.objects.get(number=2).specification["predictors"] == [
        {"question": "stress", "scored": True}
    ]


def test_all_answers_apart_need_the_logistic_model(client, launch, reader):
    choice = {"event": [], "predictor_stress": ""}
    assert ask(client, launch, outcome="mood", link="probit", **choice).status_code == 400
    assert ask(client, launch, outcome="mood", **choice).status_code == 303


def test_there_is_an_end_to_asking(client, launch, reader):
    AnalysisFit.objects.bulk_create(
        AnalysisFit(launch=launch, number=place + 2, specification=DECLARED, key=str(place))
        for place in range(MOST_EXPLORATORY)
    )
    refused = ask(client, launch, link="probit")
    assert refused.status_code == 400
    assert "at most 100 analyses" in words_of(refused)


# --- what the page shows ------------------------------------------------------------------------


def test_the_page_has_the_numbers_of_the_fit(client, launch):
    fit = fitted(launch.analysis_fits.get())
    words = words_of(client.get(address(launch)))
    for heading in ("Coefficients", "Each predictor as a whole", "Predicted probabilities"):
        assert heading in words
    for heading in ("Average marginal effects", "Diagnostics", "Odds ratio", "McFadden"):
        assert heading in words
    row = fit.content["coefficients"][1]
    assert row["name"] == "region[South]"
    digits = 2 if row["standard_error"] < 1 else 1
    assert f"{row['estimate']:.{digits}f}".replace("-", "−") in words
    assert "Where do you live? – South (against North)" in words
    assert "120 people, of 120 responses" in words
    assert "from the observed information" in words
    listed = words_of(client.get(listing(launch)))
    assert "Fitted to 120 people." in listed


def test_a_model_of_all_answers_has_a_table_for_each(client, launch, reader):
    ask(client, launch, outcome="mood", event=[], predictor_stress="")
    fitted(AnalysisFit.objects.get(number=2))
    words = words_of(client.get(address(launch, 2)))
    assert "“High”, compared with “Low”." in words
    assert "“Fair”, compared with “Low”." in words
    assert "multinomial logistic" in words


def test_a_refusal_says_what_to_change(client, reader):
    rows = [row for row in people(120) if (row["region"], row["stress"]) != (2, 2)]
    rows += [{"drug": 1, "mood": 0, "region": 2, "stress": 2}] * 3
    launch = survey_of(rows, slug="few", results_public=True)
    fitted(launch.analysis_fits.get())
    words = words_of(client.get(address(launch)))
    assert "This model was not fitted" in words
    assert "Leave out one of: region, stress." in words
    assert "Not fitted:" in words_of(client.get(listing(launch)))


def test_newer_responses_can_be_fitted_by_whoever_is_signed_in(client, launch):
    fit = fitted(launch.analysis_fits.get())
    assert "Newer responses" not in words_of(client.get(address(launch)))
    answer(launch, people(3, seed=4))
    refresh_results(launch_id=launch.pk)
    words = words_of(client.get(address(launch)))
    assert "Newer responses are in the results." in words
    assert "Fit to the newest release" not in words
    client.force_login(make_user("reader"))
    assert "Fit to the newest release" in words_of(client.get(address(launch)))
    assert client.post(address(launch, 1, "analysis-again")).status_code == 303
    fit.refresh_from_db()
    assert fit.is_waiting
    words = words_of(client.get(address(launch)))
    # The numbers of the older release stay until then.
    assert "Waiting for a worker" in words
    assert "Coefficients" in words
    ask_again(fitted(fit))
    assert "123 people, of 123 responses" in words_of(client.get(address(launch)))


def test_who_asked_and_the_author_delete_what_was_not_declared(client, launch, reader):
    for link in ("probit", "cloglog"):
        ask(client, launch, link=link)
    assert client.post(address(launch, 1, "analysis-delete")).status_code == 403
    assert "Delete this analysis" not in words_of(client.get(address(launch)))
    assert "Delete this analysis" in words_of(client.get(address(launch, 2)))
    client.force_login(make_user("other"))
    assert client.post(address(launch, 2, "analysis-delete")).status_code == 403
    client.force_login(User.objects.get(username="owner"))
    assert client.post(address(launch, 2, "analysis-delete")).status_code == 303
    client.force_login(reader)
    gone = client.post(address(launch, 3, "analysis-delete"))
    assert gone.url == listing(launch)
    kept = AnalysisFit.objects.filter(deleted=False)
    assert [each.number for each in kept] == [1]
    assert client.get(address(launch, 2)).status_code == 404


def test_labels_and_names_are_escaped(client):
    odd = "<script>alert(1)</script>"
    questions = [dict(each) for each in QUESTIONS]
    questions[2]["options"] = [odd, "South & West", "@home"]
    declared = {**DECLARED, "name": odd}
    values = {"questions": questions, "analyses": [declared], "results_public": True}
    launch = survey_of(people(120), slug="odd", **values)
    fitted(launch.analysis_fits.get())
    for page in (listing(launch), address(launch)):
        text = client.get(page).content.decode()
        assert odd not in text
        assert html.escape(odd) in text


def test_german_pages_have_no_english(client, launch, reader):
    fitted(launch.analysis_fits.get())
    pages = (listing(launch), f"{listing(launch)}?outcome=drug", address(launch))
    for page in pages:
        words = words_of(client.get(page, HTTP_ACCEPT_LANGUAGE="de"))
        assert "Analyse" in words
        for english in ("Coefficient", "declared", "against", "Predict", "Explained"):
            assert english not in words


def test_the_figures_have_the_numbers_of_the_tables(client, launch):
    fit = fitted(launch.analysis_fits.get())
    page = client.get(address(launch)).content.decode()
    (text,) = re.findall(r'<script id="figures" type="application/json">(.*?)</script>', page)
    figures = json.loads(text)
    assert list(figures) == ["coefficients", "predictions:0", "predictions:1"]
    wanted = [row["estimate"] for row in fit.content["coefficients"][1:]]
    assert figures["coefficients"]["data"][1]["x"] == wanted
    shares = [100 * row["probability"] for row in fit.content["predictions"][:3]]
    assert figures["predictions:0"]["data"][1]["x"] == pytest.approx(shares, abs=0.001)
    for key in figures:
        assert f'data-key="{key}"' in page
