"""The analyses that the devices of a draft allow.

A yes/no model of a question with more answers puts answers together, and the reports to them. A
device allows that where it scrambles all answers of a side alike: otherwise the merged device would
depend on how common each of them is.
"""

from collections.abc import Iterable

import rr_engine
from surveys.devices import draft_design
from surveys.devices.chance_strata import chance_strata
from surveys.devices.registry import physical_device_of
from surveys.drafts import Draft
from surveys.models import Question
from surveys.parameters import coded
from surveys.parameters.exact import design_of

# Models that take a scrambled predictor, of two outcomes.
LINKS_WITH_SCRAMBLED = ("logit", "probit")


def event_design(design: rr_engine.DesignMatrix, event: Iterable[int]) -> rr_engine.DesignMatrix:
    """The device of whether an answer counts, no first; raises EngineError where there is none."""
    answers = design.matrix.shape[1]
    counting = sorted(event)
    rest = [code for code in range(answers) if code not in counting]
    # A report beyond those that stand for answers makes them no partition.
    sides = [rest, counting]
    return rr_engine.DesignMatrix(design.matrix).coarsened(sides, sides)


def allows_event(question: Question, event: Iterable[int]) -> bool:
    """Whether all devices of a scrambled question do; true of one that cannot be built yet."""
    try:
        designs = _designs(question)
    except (rr_engine.EngineError, KeyError, AttributeError, ValueError, TypeError):
        return True
    try:
        for design in designs:
            event_design(design, event)
    except rr_engine.EngineError:
        return False
    return True


def _designs(question: Question) -> list[rr_engine.DesignMatrix]:
    """Return the designs of the page, of a physical randomizer and of a split sample."""
    draft = Draft.of(question)
    in_hand = physical_device_of(draft)
    others = [design_of(coded(in_hand.table))] if in_hand else []
    others += [draft_design(each.draft) for each in chance_strata(draft) if not each.directly]
    return [draft_design(draft), *others]
