"""What else a question can have: each named by what it is for, and shown once it is chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.forms import BoundField
from django.utils.translation import gettext as _

from surveys.devices import FAMILIES, fitting
from surveys.drafts import Draft
from surveys.features import FEATURES, draw_fields
from surveys.forms.edited_question import EditedQuestionForm, usual_design
from surveys.forms.fields.features import question_fields_of
from surveys.forms.fields.scale import USUAL_BINS
from surveys.forms.question import STARTS
from surveys.kinds import KINDS
from surveys.models import Question
from surveys.parameters.budget import QUESTION_LIMIT


@dataclass(frozen=True, slots=True)
class Option:
    """`use`: for which questions it is, as the page's script tells them apart; "" for all.

    `template`: what a feature shows below the fields, where it reads `content`.
    """

    name: str
    label: str
    fields: list[BoundField]
    is_used: bool
    use: str = ""
    template: str = ""
    content: Any = None

    @property
    def is_wrong(self) -> bool:
        return any(field.errors for field in self.fields)


def options_of(form: EditedQuestionForm, questions: Sequence[Question]) -> dict[str, list[Option]]:
    """Return the options of a question: those that it uses, and all others.

    `questions`: all of the draft, in their order.
    """
    options = [*_options(form, questions)]
    return {
        "used": [each for each in options if each.is_used or each.is_wrong],
        "unused": [each for each in options if not (each.is_used or each.is_wrong)],
    }


def _options(form: EditedQuestionForm, questions: Sequence[Question]) -> Iterator[Option]:
    question, values = form.instance, {name: form[name].value() for name in form.fields}

    def option(name: str, label: str, names: list[str], is_used: Any, use: str = "") -> Option:
        return Option(name, label, [form[each] for each in names], bool(is_used), use)

    reason = bool(values["epsilon_reason"]) or _above_limit(values["epsilon"])
    yield option("reason", _("Why it is scrambled so little"), ["epsilon_reason"], reason)
    yield option("help", _("Say more under the question"), ["help_text"], values["help_text"])
    of_range = ["step", "unit", "bins", "lowest_alone", "highest_alone"]
    is_cut = bool(values["unit"] or values["lowest_alone"] or values["highest_alone"])
    is_cut = is_cut or str(values["bins"] or "") != USUAL_BINS or str(values["step"]) != "1"
    yield option("range", _("Step, unit and bins of the numbers"), of_range, is_cut, "range")
    texts = ["characters", "candidates"]
    yield option(
        "texts", _("Length, and candidates to look for"), texts, values["candidates"], "text"
    )
    starts = STARTS[bool(question.randomized)]
    kind = KINDS.get(question.kind)
    if kind and not kind.refusable:
        starts = starts | {"prefer_not": False}
    answering = any(bool(values[name]) is not start for name, start in starts.items())
    label = _("Require an answer, or let it be refused")
    yield option("answering", label, ["required", "prefer_not"], answering)
    yield from _devices(form, values)
    for feature in FEATURES.values():
        names = [field.name for field in question_fields_of(feature)]
        if names:
            is_used = any(values[name] not in (None, "", False) for name in names)
            use = "sensitive" if names[0] in draw_fields() else ""
            found = option(names[0], str(feature.purpose), names, is_used, use)
            template = feature.desk.option_template
            content = feature.desk.option_of(question, questions) if template else None
            yield replace(found, template=template, content=content)
    yield option("name", _("Name it in the downloads"), ["name"], False)


def _devices(form: EditedQuestionForm, values: dict[str, Any]) -> Iterator[Option]:
    """Yield the devices of the page, and the randomizers by hand."""
    draft, design = Draft.of(form.instance), values["design"]
    usual = usual_design(draft) if draft.randomized else design
    is_joint = any(values[name] for name in draw_fields())
    if not is_joint:
        family = FAMILIES.get(design)
        settings = family.setting_fields() if family else ()
        fields = [form[name] for name in ("design", "delta_understood", *settings)]
        is_other = bool(design and usual) and design != usual
        is_only = settings and draft.kind in KINDS and len(fitting(draft)) == 1
        label = _("What you expect of the answers") if is_only else _("Choose another device")
        yield Option("device", label, fields, is_other, "sensitive")
    label = _("Let respondents scramble their answers with a die, coins or cards.")
    physical = [form["physical_device"]]
    yield Option("physical", label, physical, bool(values["physical_device"]), "sensitive")


def _above_limit(text: Any) -> bool:
    try:
        return Decimal(str(text)) > QUESTION_LIMIT
    except ArithmeticError:
        return False
