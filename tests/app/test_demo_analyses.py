"""The demo survey declares analyses and margins, and its simulated people have what they find."""

from types import SimpleNamespace

import numpy as np
import pytest

import rr_engine
from surveys.authoring.planning.simulation import simulated_responses
from surveys.features import weighting_of
from surveys.features.return_codes import demo
from surveys.results.regression.fitting import fit_analysis
from surveys.results.regression.frame import analysable, columns_of, frame_of
from surveys.results.regression.weights import raked_sample
from surveys.results.weighted.shares import weighted_results
from tests.builders import owner

pytestmark = pytest.mark.django_db

# Whoever answers has each answer to a direct question more often than the release threshold.
RECODINGS = {
    "size": [[0], [1], [2], [3]],
    "age": [[0], [1], [2], [3]],
    "recommend": [[0], [1]],
}


def parameters_and_people(count, seed):
    launch = demo.launch_demo(owner=owner())
    return launch.parameters, demo.respondents_of(launch, count, seed=seed)


def frame_of_demo(parameters, people):
    waves = [("", parameters)]
    names = [question.id for question in analysable(parameters)]
    sent = simulated_responses(parameters, people, random_bytes=np.random.default_rng(5).bytes)
    return frame_of(sent, waves, columns_of(waves, names, frozenset()))


def test_the_true_answers_depend_on_one_another_as_the_demo_says():
    _parameters, people = parameters_and_people(20_000, 3)
    answers = people.answers
    columns = np.column_stack([np.eye(4)[answers["size"]][:, 1:], answers["age"]])
    model = rr_engine.RRLogit(rr_engine.designs.direct(2))
    fit = model.fit(columns, (answers["bullied"] == 1).astype(int))
    truth = [demo.INTERCEPT, *demo.OF_SIZE[1:], demo.OF_AGE]
    # Four standard errors: one in 3,000 seeds for five coefficients.
    assert (abs(fit.params - truth) < 4 * fit.standard_errors).all()
    for code, shares in enumerate(demo.RECOMMEND):
        chosen = answers["recommend"][answers["bullied"] == code]
        assert abs(chosen.mean() - shares[1]) < 4 * np.sqrt(shares.prod() / len(chosen))


@pytest.mark.slow
def test_as_many_as_make_run_simulates_show_it_in_their_reports():
    parameters, people = parameters_and_people(1500, 4)
    frame = frame_of_demo(parameters, people)
    who, whether = parameters.analyses
    fitted = fit_analysis(who, frame, RECODINGS, parameters.release_threshold).fit
    sizes = [name for name in fitted.names if name.startswith("size")]
    assert rr_engine.models.wald_test(fitted, sizes).p_value < 0.05
    assert fitted.p_values[fitted.names.index("age")] < 0.05
    far = abs(fitted.params[1:] - [*demo.OF_SIZE[1:], demo.OF_AGE])
    assert (far < 3 * fitted.standard_errors[1:]).all()

    def sample_of(some):
        return raked_sample(some, weighting_of(parameters), RECODINGS)

    weighted = fit_analysis(whether, frame, RECODINGS, parameters.release_threshold, sample_of)
    yes = 1 + [term.name for term in weighted.terms].index("bullied[Yes]")
    odds = demo.RECOMMEND[:, 1] / demo.RECOMMEND[:, 0]
    assert abs(weighted.fit.params[yes] - np.log(odds[1] / odds[0])) < (
        3 * weighted.fit.standard_errors[yes]
    )
    assert weighted.fit.p_values[yes] < 0.05


def test_weights_move_the_shares_of_the_respondents_to_those_of_the_population():
    parameters, people = parameters_and_people(1500, 4)
    frame, margins = frame_of_demo(parameters, people), weighting_of(parameters).margins
    found = weighted_results(
        frame,
        analysable(parameters),
        weighting_of(parameters),
        SimpleNamespace(recodings=RECODINGS, tables=()),
        parameters.release_threshold,
    )
    for margin in margins:
        shares = [row.estimate for row in found.questions[margin.question].categories]
        population = [float(share) for share in margin.shares]
        assert shares == pytest.approx(population, abs=1e-6)
        # The respondents are others, so that there is something to weight.
        assert (
            abs(np.subtract(population, getattr(demo, f"{margin.question.upper()}S"))).max() > 0.05
        )
    bullied = np.einsum(
        "s,a,sac->c", *(list(map(float, each.shares)) for each in margins), demo.BULLIED
    )
    row = found.questions["bullied"].categories[1]
    assert abs(row.estimate - bullied[1]) < 3 * row.standard_error
    assert 1 < found.design_effect < 1.5
