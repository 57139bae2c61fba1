"""Analyses fitted by workers: the same numbers as from the reports, and nothing about a few."""

import json
from decimal import Decimal

import numpy as np
import pytest
from django.contrib.auth.models import User

import rr_engine
from surveys.models import AnalysisFit, Survey
from surveys.parameters.analyses import analyses_of_json
from surveys.parameters.exact import channel_of
from surveys.results.regression.refusals import SENTENCES, refusal_text
from surveys.services.analysis_fits import (
    ANALYSIS,
    ask_analysis,
    delete_analysis,
    fitted_values,
    request_declared,
)
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.builders import make_user
from tests.released import answer, released

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

QUESTIONS = (
    {"name": "drug", "text": "Have you taken a drug?", "epsilon": Decimal("2")},
    {
        "name": "mood",
        "kind": "scale",
        "options": ["Low", "Fair", "High"],
        "epsilon": Decimal("1.5"),
    },
    {
        "name": "region",
        "kind": "single_choice",
        "options": ["North", "South", "West"],
        "randomized": False,
        "required": False,
        "text": "Where do you live?",
    },
    {
        "name": "stress",
        "kind": "scale",
        "options": ["Low", "Middle", "High"],
        "randomized": False,
        "text": "How much stress?",
    },
)
DECLARED = {
    "name": "Who takes drugs",
    "outcome": "drug",
    "event": [1],
    "link": "logit",
    "predictors": [
        {"question": "region", "scored": False},
        {"question": "stress", "scored": True},
    ],
    "weighted": False,
}


def people(count: int, seed: int = 15) -> list[dict[str, int]]:
    """Reports that depend on region and stress; seeded."""
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        region, stress = int(generator.integers(0, 3)), int(generator.integers(0, 3))
        drug = int(generator.random() < 0.2 + 0.15 * region + 0.1 * stress)
        rows.append(
            {
                "drug": drug,
                "mood": int(generator.integers(0, 3)),
                "region": region,
                "stress": stress,
            }
        )
    return rows


def survey_of(rows, **values):
    given = {
        "questions": QUESTIONS,
        "linkage": Survey.Linkage.TOGETHER,
        "budget": Decimal("6"),
        "analyses": [DECLARED],
        "release_batch": 1,
    }
    return released(rows, **{**given, **values})


def analysis(**changes):
    return analyses_of_json([{**DECLARED, "name": "Another", **changes}])[0]


def values_of(launch, changed):
    user = User.objects.filter(username="reader").first() or make_user("reader")
    fit = ask_analysis(launch=launch, step=0, analysis=changed, user=user)
    return json.loads(json.dumps(fitted_values(fit)))


kept = kept_once(lambda: survey_of(people(120), slug="kept"))


@pytest.fixture
def surveyed(launch):
    return launch, people(120)


def test_a_declared_analysis_is_the_librarys_fit_of_the_same_reports(surveyed):
    launch, rows = surveyed
    fit = launch.analysis_fits.get()
    assert (fit.declared, fit.number) == (0, 1)
    content = fitted_values(fit)["content"]
    device = channel_of(launch.parameters.devices[0], launch.parameters.questions[0])
    columns = [[row["region"] == 1, row["region"] == 2, row["stress"] + 1] for row in rows]
    wanted = rr_engine.RRLogit(device).fit(columns, [row["drug"] for row in rows])
    found = [row["estimate"] for row in content["coefficients"]]
    assert found == pytest.approx(wanted.params.tolist())
    errors = [row["standard_error"] for row in content["coefficients"]]
    assert errors == pytest.approx(wanted.standard_errors.tolist())
    names = [row["name"] for row in content["coefficients"]]
    assert names == ["intercept", "region[South]", "region[West]", "stress"]
    assert content["n"] == 120
    effects = rr_engine.models.average_marginal_effects(wanted)
    assert [row["estimate"] for row in content["effects"]] == pytest.approx(effects.effects)
    assert content["log_likelihood"] == pytest.approx(wanted.log_likelihood)


def test_predictions_hold_the_others_at_their_means(surveyed):
    launch, rows = surveyed
    content = fitted_values(launch.analysis_fits.get())["content"]
    mean = np.mean([row["stress"] + 1 for row in rows])
    device = channel_of(launch.parameters.devices[0], launch.parameters.questions[0])
    columns = [[row["region"] == 1, row["region"] == 2, row["stress"] + 1] for row in rows]
    fit = rr_engine.RRLogit(device).fit(columns, [row["drug"] for row in rows])
    found = [row for row in content["predictions"] if row["question"] == "region"]
    wanted = rr_engine.models.predicted_probabilities(
        fit, [[0, 0, mean], [1, 0, mean], [0, 1, mean]]
    )
    assert [row["probability"] for row in found] == pytest.approx(wanted.probabilities[:, 1])
    assert [row["label"] for row in found] == ["North", "South", "West"]
    stress = [row["label"] for row in content["predictions"] if row["question"] == "stress"]
    assert stress == ["Low", "Middle", "High"]


@pytest.mark.parametrize("link", ["probit", "cloglog", "identity"])
def test_every_link_is_fitted(surveyed, link):
    launch, _ = surveyed
    content = values_of(launch, analysis(link=link))["content"]
    assert content["link"] == link
    assert len(content["coefficients"]) == 4


def test_all_answers_apart_are_a_multinomial_model(surveyed):
    launch, rows = surveyed
    content = values_of(launch, analysis(outcome="mood", event=[]))["content"]
    device = channel_of(launch.parameters.devices[1], launch.parameters.questions[1])
    columns = [[row["region"] == 1, row["region"] == 2, row["stress"] + 1] for row in rows]
    wanted = rr_engine.RRLogit(device).fit(columns, [row["mood"] for row in rows])
    found = [row["estimate"] for row in content["coefficients"]]
    assert found == pytest.approx(wanted.params.ravel().tolist())
    assert content["coefficients"][4]["category"] == "High"


def test_an_event_of_several_answers_puts_their_reports_together(surveyed):
    launch, rows = surveyed
    content = values_of(launch, analysis(outcome="mood", event=[1, 2]))["content"]
    device = channel_of(launch.parameters.devices[1], launch.parameters.questions[1])
    merged = device.coarsened([[0], [1, 2]], [[0], [1, 2]])
    columns = [[row["region"] == 1, row["region"] == 2, row["stress"] + 1] for row in rows]
    wanted = rr_engine.RRLogit(merged).fit(columns, [int(row["mood"] > 0) for row in rows])
    found = [row["estimate"] for row in content["coefficients"]]
    assert found == pytest.approx(wanted.params.tolist())
    assert content["outcome"]["categories"] == ["Low", "Fair + High"]


def test_a_direct_outcome_is_an_ordinary_model(surveyed):
    launch, _ = surveyed
    predictors = [{"question": "region", "scored": False}]
    content = values_of(launch, analysis(outcome="stress", event=[2], predictors=predictors))
    assert not content["refusal"]
    assert content["content"]["outcome"]["randomized"] is False


# --- randomized predictors and weights ----------------------------------------------------------


def test_a_randomized_predictor_is_the_librarys_model_of_the_true_answers(surveyed):
    launch, rows = surveyed
    predictors = [
        {"question": "mood", "scored": True},
        {"question": "stress", "scored": True},
    ]
    content = values_of(launch, analysis(predictors=predictors))["content"]
    devices = [
        channel_of(device, question)
        for device, question in zip(
            launch.parameters.devices[:2], launch.parameters.questions[:2], strict=True
        )
    ]
    outcome, mood = (
        rr_engine.models.ReportLikelihoods(device, [row[name] for row in rows])
        for device, name in zip(devices, ("drug", "mood"), strict=True)
    )
    wanted = rr_engine.RRRegression("logit").fit(
        outcome, [row["stress"] + 1 for row in rows], [mood], scores=[[1, 2, 3]]
    )
    assert [row["name"] for row in content["coefficients"]] == ["intercept", "stress", "mood"]
    found = [row["estimate"] for row in content["coefficients"]]
    assert found == pytest.approx(wanted.params.tolist(), rel=1e-5)
    assert {row["question"] for row in content["predictions"]} == {"mood", "stress"}
    assert len(content["effects"]) == 2


def test_a_randomized_predictor_needs_a_model_of_two_outcomes(surveyed):
    launch, _ = surveyed
    predictors = [{"question": "mood", "scored": True}]
    found = values_of(launch, analysis(predictors=predictors, link="identity"))
    assert found["refusal"] == "link_needs_known_predictors\nmood"


def test_weights_meet_the_declared_margins():
    rows = people(120)
    weighting = {"margins": [{"question": "region", "shares": ["0.6", "0.3", "0.1"]}]}
    launch = survey_of(rows, analyses=[{**DECLARED, "weighted": True}], weighting=weighting)
    content = fitted_values(launch.analysis_fits.get())["content"]
    regions = np.array([row["region"] for row in rows])
    weights = np.array([0.6, 0.3, 0.1])[regions] / np.bincount(regions)[regions]
    device = channel_of(launch.parameters.devices[0], launch.parameters.questions[0])
    columns = [[row["region"] == 1, row["region"] == 2, row["stress"] + 1] for row in rows]
    wanted = rr_engine.RRLogit(device).fit(columns, [row["drug"] for row in rows], weights)
    found = [row["estimate"] for row in content["coefficients"]]
    assert found == pytest.approx(wanted.params.tolist())
    assert content["standard_errors"] == "robust"
    kish = len(weights) * (weights**2).sum() / weights.sum() ** 2
    assert content["weights"]["design_effect"] == pytest.approx(kish)


# --- disclosure ---------------------------------------------------------------------------------


def test_rare_answers_are_put_together_as_in_tables():
    rows = [row for row in people(120) if row["region"] < 2]
    rows += [{**row, "region": 2} for row in people(3, seed=1)]
    launch = survey_of(rows)
    content = fitted_values(launch.analysis_fits.get())["content"]
    merged = [labels for labels in content["recoded"]["region"] if "West" in labels]
    assert merged in (["North + West"], ["South + West"])
    assert {row["label"] for row in content["coefficients"]} & {"West"} == set()


def test_a_combination_of_a_few_people_is_refused_by_name():
    rows = [row for row in people(120) if (row["region"], row["stress"]) != (2, 2)]
    rows += [{"drug": 1, "mood": 0, "region": 2, "stress": 2}] * 3
    launch = survey_of(rows)
    found = fitted_values(launch.analysis_fits.get())
    assert not found["content"]
    assert found["refusal"] == "small_cells\nregion, stress"
    assert "region, stress" in refusal_text(found["refusal"])


def test_a_cell_of_a_direct_outcome_counts_too():
    rows = [row for row in people(120) if (row["region"], row["stress"]) != (2, 2)]
    rows += [{"drug": 1, "mood": 0, "region": 2, "stress": 2}] * 3
    launch = survey_of(rows)
    predictors = [{"question": "region", "scored": False}]
    changed = analysis(outcome="stress", event=[2], predictors=predictors)
    assert values_of(launch, changed)["refusal"].startswith("small_cells")


def test_two_events_may_not_differ_by_a_rare_answer():
    rows = [row for row in people(120) if row["region"] < 2]
    rows += [{**row, "region": 2} for row in people(3, seed=1)]
    launch = survey_of(rows)
    predictors = [{"question": "stress", "scored": True}]
    for event in ([2], [0]):
        changed = analysis(outcome="region", event=event, predictors=predictors)
        recoding = launch.results.get().content["recodings"]["region"]
        divided = any(set(event) & set(group) and len(group) > 1 for group in recoding)
        refused = values_of(launch, changed)["refusal"].startswith("event_divides")
        assert refused == divided
    assert any(len(group) > 1 for group in recoding)


def test_two_events_may_not_differ_by_a_few_people_of_one_combination():
    """Everybody of the first region but two feels little stress or much."""
    rows = [row for row in people(120) if (row["region"], row["stress"]) != (0, 1)]
    rows += [{"drug": 0, "mood": 0, "region": 0, "stress": 1}] * 2
    launch = survey_of(rows)
    predictors = [{"question": "region", "scored": False}]
    for event in ([2], [1, 2]):
        changed = analysis(outcome="stress", event=event, predictors=predictors)
        assert values_of(launch, changed)["refusal"].startswith("small_cells")


def test_many_who_left_a_question_out_are_a_category():
    rows = people(120)
    for row in rows[:40]:
        del row["region"]
    launch = survey_of(rows, release_threshold=2)
    content = fitted_values(launch.analysis_fits.get())["content"]
    assert content["n"] == 120
    assert "left_out" in {row["label"] for row in content["coefficients"]}


def test_a_few_who_left_a_question_out_are_in_no_analysis():
    """Neither in one with the question nor in one without, and three others are not either: the
    difference is nobody, and that of an analysis and of a question alone is no few people."""
    rows = people(120)
    for row in rows[:2]:
        del row["region"]
    launch = survey_of(rows, release_threshold=3)
    assert fitted_values(launch.analysis_fits.get())["content"]["n"] == 118 - 3
    without = analysis(predictors=[{"question": "stress", "scored": True}])
    assert values_of(launch, without)["content"]["n"] == 118 - 3


def test_nothing_is_fitted_below_the_threshold():
    launch = survey_of(people(10), release_threshold=20)
    assert list(AnalysisFit.objects.filter(launch=launch, revision=0))
    request_declared(launch.pk)
    assert not ANALYSIS.is_lagging(launch.analysis_fits.get().pk)


def test_every_refusal_has_words():
    for code in SENTENCES:
        assert "%(" not in refusal_text(f"{code}\nregion")
        assert refusal_text(f"{code}\nregion") != f"{code}\nregion"


# --- demand -------------------------------------------------------------------------------------


def fitted(fit):
    AnalysisFit.objects.filter(pk=fit.pk).update(**fitted_values(fit))
    fit.refresh_from_db()


def test_a_declared_analysis_is_due_when_a_tenth_more_has_come():
    rows = people(60)
    launch = survey_of(rows)
    fit = launch.analysis_fits.get()
    assert ANALYSIS.is_lagging(fit.pk)
    fitted(fit)
    assert not ANALYSIS.is_lagging(fit.pk)
    more = people(8, seed=2)
    answer(launch, more[:3])
    refresh_results(launch_id=launch.pk)
    assert not ANALYSIS.is_lagging(fit.pk)
    answer(launch, more[3:])
    refresh_results(launch_id=launch.pk)
    assert ANALYSIS.is_lagging(fit.pk)
    assert fit.pk in set(ANALYSIS.lagging())


def test_an_address_is_never_that_of_another_analysis(surveyed):
    launch, _ = surveyed
    user = make_user("reader")

    def ask(link):
        return ask_analysis(launch=launch, step=0, analysis=analysis(link=link), user=user)

    first = ask("probit")
    delete_analysis(first)
    assert not ANALYSIS.is_lagging(first.pk)
    assert ask("cloglog").number == first.number + 1
    again = ask("probit")
    assert (again.pk, again.deleted) == (first.pk, False)
    assert ANALYSIS.is_lagging(first.pk)


def test_the_same_question_is_the_same_row(surveyed):
    launch, _ = surveyed
    user = make_user("reader")
    asked = [
        ask_analysis(launch=launch, step=0, analysis=analysis(link="probit", name=name), user=user)
        for name in ("One", "Other")
    ]
    assert asked[0].pk == asked[1].pk
    assert (asked[0].number, asked[0].declared) == (2, None)
    declared = ask_analysis(launch=launch, step=0, analysis=analysis(), user=user)
    assert declared.declared == 0
    assert ANALYSIS.is_lagging(asked[0].pk)
