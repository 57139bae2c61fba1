"""Whether control items can tell anything of the respondents, and of the questions around them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

import rr_engine
from surveys.authoring.checks.epsilon import Finding
from surveys.devices import draft_channel
from surveys.devices.registry import chosen_family
from surveys.engine_words import EngineError
from surveys.features.control_items.section import KEY
from surveys.features.control_items.settings import is_control_item, share_of, share_text
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey

# The engine's code where reports at random look like those of people who follow the device.
ALIKE = "groups_indistinguishable"
# And where reports are not counted one by one.
UNCOUNTED = "table_not_available"


class ControlItemsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return is_control_item(question)

    def freeze_question(self, question: Question) -> Mapping[str, Any]:
        return {KEY: share_text(question)}

    def why_alike(self, question: Question) -> str:
        return _("it is a control item") if is_control_item(question) else ""

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return _findings(questions)


def _findings(questions: Sequence[Question]) -> Iterator[Finding]:
    items = list(filter(is_control_item, questions))
    others = [each for each in questions if each.randomized and not is_control_item(each)]
    families = {family.name for each in others if (family := chosen_family(each))}
    for item in items:
        yield from _silent(item)
        family = chosen_family(item)
        if family is not None and family.name not in families:
            message = _(
                "This control item is asked with the device “%s”, and no other sensitive question "
                "is: what it finds may not hold for them. Choose the device of one of them."
            )
            yield _of(item, "control_alone", message % family.label, blocks=False)


def _silent(item: Question) -> Iterator[Finding]:
    """Whether its reports would be the same whatever the respondents do."""
    try:
        design = draft_channel(item)
        rr_engine.compliance.anchor_check(
            design, [0] * design.tally_size, float(share_of(item) or 0)
        )
    except EngineError as error:
        if error.code == ALIKE:
            message = _(
                "With this known share, reports at random look like those of people who follow "
                "the device, so the control item says nothing. Take a question that is true of "
                "nobody, with the share 0."
            )
            yield _of(item, "control_silent", message, blocks=True)
        elif error.code == UNCOUNTED:
            message = _(
                "Its device sends no codes, so what reports at random look like cannot be told. "
                "Choose another device."
            )
            yield _of(item, "control_silent", message, blocks=True)
    except (KeyError, ValueError):
        return


def _of(item: Question, code: str, message: str, *, blocks: bool) -> Finding:
    return Finding(code, f"{item.name}: {message}", blocks, item.name)
