"""Weights of the people of an analysis: raked to the margins that the launch declares."""

from collections.abc import Mapping

import numpy as np

import rr_engine
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.engine_words import EngineError
from surveys.parameters import Margin, Weighting
from surveys.results.regression.frame import Frame
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results_document.document import Recoding


def raked_sample(
    frame: Frame, weighting: Weighting, recodings: Mapping[str, Recoding]
) -> rr_engine.sampling.CalibratedSample:
    """The people of a frame with weights that meet the margins, one row a person.

    Rare answers count together, as everywhere in the results, and so do their shares. Somebody who
    left a question out is weighted by the others alone.

    Raises AnalysisRefused where nobody gave an answer that has a share.
    """
    names = [margin.question for margin in weighting.margins]
    if not recodings.keys() >= set(names):
        # Too few have answered a question of the margins.
        raise AnalysisRefused("weights_not_met", names)
    answers, shares = [], []
    for margin in weighting.margins:
        known, known_shares = margin_groups(margin, recodings)
        level_of = np.zeros(len(margin.shares), dtype=np.int64)
        for level, group in enumerate(known):
            level_of[group] = level
        reports = frame.reports(margin.question)
        levels = np.where(reports == NO_REPORT, -1, level_of[np.maximum(reports, 0)])
        answers.append(frame.each(levels))
        shares.append(known_shares)
    try:
        sample = rr_engine.sampling.rake(
            rr_engine.SurveySample(n=frame.n), answers, shares, names=names
        )
    except EngineError as error:
        raise AnalysisRefused("weights_not_met", names) from error
    if not sample.converged:
        raise AnalysisRefused("weights_not_met", names)
    return sample


def margin_groups(
    margin: Margin, recodings: Mapping[str, Recoding]
) -> tuple[Recoding, list[float]]:
    """The answers that count together, and the share of each such group."""
    groups, size = recodings[margin.question], len(margin.shares)
    # Answers that nobody gave are in no group: their share belongs to a group of its own.
    missing = [code for code in range(size) if not any(code in group for group in groups)]
    known = [*groups, *([missing] if missing else [])]
    return known, [sum(float(margin.shares[code]) for code in group) for group in known]
