"""Chains of simulated respondents: one report for each step, the lowest first."""

from collections.abc import Sequence
from typing import cast

import numpy as np

import rr_engine
from rr_engine.device import RandomBytes
from rr_engine.relaxation.degradation import TableDegradation
from surveys.authoring.relaxing import degradation_of
from surveys.kinds import KINDS
from surveys.parameters import Chain, Device, Question
from surveys.parameters.steps import device_at_step


def chain_reports(
    question: Question,
    device: Device,
    answers: np.ndarray,
    words: Sequence[str],
    random_bytes: RandomBytes,
) -> list[list[int]]:
    """A list of codes for each answer: the last one is drawn from it, each other from the next."""
    chain = device.table
    if not isinstance(chain, Chain):
        raise TypeError(f"{device.id} has a report for each step only where it has a chain")
    highest = device_at_step(device, len(chain.steps) - 1)
    drawn = KINDS[question.kind].draw_reports(question, highest, answers, words, random_bytes)
    links = [
        degradation_of(degradation, later)
        for later, degradation in zip(chain.steps[1:], chain.degradations, strict=True)
    ]
    return [_downwards(links, code, random_bytes) for code in drawn]


def _downwards(
    links: Sequence[TableDegradation], code: int, random_bytes: RandomBytes
) -> list[int]:
    """The reports of all steps from that of the highest one, drawn exactly."""
    codes = [code]
    for link in reversed(links):
        # A report drawn from a table of codes is one code.
        codes.insert(
            0, cast("int", rr_engine.relaxation.draw_degraded(link, codes[0], random_bytes))
        )
    return codes
