"""Shares of the answers weighted to known margins of the population.

Every question of one answer out of a list has them, the direct ones of the margins included. They
are about the people of analyses: all of a release but the few who left a direct question out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.engine_words import EngineError
from surveys.kinds.estimates import LEVELS, number, numbers
from surveys.parameters import Question, Weighting
from surveys.results.recoding import Recoding
from surveys.results.regression.frame import Frame
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.regression.weights import raked_sample

FORMAT = 1


def weighted_shares(
    frame: Frame,
    questions: Sequence[Question],
    weighting: Weighting,
    recodings: Mapping[str, Recoding],
    threshold: int,
) -> dict[str, Any]:
    """The weighted shares of each question of a frame, with the weights that they rest on.

    Raises AnalysisRefused where the margins cannot be met.
    """
    if frame.n < threshold:
        raise AnalysisRefused("too_few_people", [question.id for question in questions])
    sample = raked_sample(frame, weighting, recodings)
    return {
        "format": FORMAT,
        "n": frame.n,
        "design_effect": number(sample.design_effect),
        "effective_n": number(sample.effective_n),
        "largest_weight": number(sample.weights.max() / sample.weights.mean()),
        "questions": {
            question.id: _shares(frame, question, sample, recodings, threshold)
            for question in questions
        },
    }


def _shares(
    frame: Frame,
    question: Question,
    sample: rr_engine.CalibratedSample,
    recodings: Mapping[str, Recoding],
    threshold: int,
) -> dict[str, Any] | None:
    """The shares of one question; None where too few people have a report, or nothing is told.

    Of a direct question they are those of its recoded answers.
    """
    people = frame.with_report(question.id).n
    if people < threshold:
        return None
    reports = frame.likelihoods(question.id)
    codes = reports.row_of - reports.starts[reports.device_of]
    codes = np.where(reports.reported, codes, -1)
    which = np.where(reports.reported, reports.device_of, 0)
    designs: Sequence[rr_engine.Channel] = reports.designs
    labels = [[code] for code in range(len(question.categories))]
    if not question.randomized:
        labels = recodings[question.id]
        levels = np.full(len(question.categories), -1)
        for level, answers in enumerate(labels):
            levels[answers] = level
        codes = np.where(codes >= 0, levels[np.maximum(codes, 0)], -1)
        if len(labels) < 2:
            return None
        designs = [rr_engine.direct(len(labels))] * len(designs)
    try:
        found = rr_engine.estimate_weighted(designs, codes, sample, which)
    except EngineError:
        return None
    ends = found.interval(LEVELS[0])
    return {
        "n": people,
        "answers": labels,
        "categories": [
            {
                "estimate": number(share),
                "standard_error": number(error),
                "interval": numbers(interval),
            }
            for share, error, interval in zip(
                found.proportions, found.standard_errors, ends, strict=True
            )
        ],
    }
