"""The answer to the page about one question being edited: figures, devices and errors."""

from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.device_comparison import comparison_of
from surveys.authoring.limits import shares_draw
from surveys.authoring.panel.words import Panel, panel_of, physical_preview
from surveys.devices import FAMILIES
from surveys.devices.registry import stored_problem
from surveys.forms.fields.device import physical_devices_for, refusal_hint
from surveys.forms.panel_forms import DeviceForm, EpsilonForm
from surveys.kinds import KINDS


def panel_answer(form: DeviceForm, plan: dict[str, Any]) -> dict[str, Any]:
    """The answer for a validated form, as plain JSON types; texts are empty where it has errors."""
    device_errors = [str(message) for message in form.errors.pop("physical_device", [])]
    panel = _panel(form, plan)
    draft = form.draft(form.cleaned_data)
    has_kind = draft.kind in KINDS and "kind" not in form.errors
    return {
        "figures": panel.figures,
        "texts": panel.texts,
        "error": panel.error,
        "sections": panel.sections,
        "fitting": form.fitting(form.cleaned_data) if has_kind else [],
        "refusal": refusal_hint(draft) if has_kind else "",
        "design": draft.design,
        "notes": _setting_notes(form.cleaned_data),
        **_rows(panel, form, plan),
        "physical": _physical(form, device_errors, plan) if has_kind else {},
    }


def counts_in_budget(form: DeviceForm | EpsilonForm) -> bool:
    """Whether the question's epsilon is valid and spent, even if other fields have errors."""
    return bool("epsilon" not in form.errors and form.cleaned_data.get("randomized"))


def _panel(form: DeviceForm, plan: dict[str, Any]) -> Panel:
    if form.errors:
        problems = (str(message) for messages in form.errors.values() for message in messages)
        return Panel(error=" ".join(problems))
    if not form.instance.randomized:
        return Panel()
    if shares_draw(form.instance) and form.instance.membership is None:
        return Panel(error=_("The figures follow once all questions sent together are complete."))
    problem = stored_problem(form.instance)
    if problem:
        return Panel(error=problem)
    return panel_of(
        draft=form.instance,
        planned_n=planned_n(plan),
        language=_language(plan),
        sections=plan["sections"],
    )


def _rows(panel: Panel, form: DeviceForm, plan: dict[str, Any]) -> dict[str, Any]:
    if not panel.figures or form.instance.membership is not None:
        return {"rows": [], "best": "", "proposal": ""}
    return asdict(comparison_of(draft=form.instance, planned_n=planned_n(plan)))


def _physical(form: DeviceForm, device_errors: list[str], plan: dict[str, Any]) -> dict[str, Any]:
    draft = form.draft(form.cleaned_data)
    answer = {"fitting": [], "problem": " ".join(device_errors), "epsilon": "", "sentences": []}
    if not draft.randomized or form.errors:
        return answer
    answer["fitting"] = physical_devices_for(draft)
    physical_draft = replace(draft, physical_device=form.cleaned_data.get("physical_device") or "")
    return answer | physical_preview(physical_draft, _language(plan))


def _setting_notes(values: dict[str, Any]) -> dict[str, str]:
    """Return what the settings as they were typed mean, by the family that reads them."""
    notes = {family.name: family.setting_note(values) for family in FAMILIES.values()}
    return {name: note for name, note in notes.items() if note}


def planned_n(plan: dict[str, Any]) -> int:
    """How many respondents are planned, as typed or as usual."""
    return plan.get("planned_n") or 500


def _language(plan: dict[str, Any]) -> str:
    return plan.get("language") or "en"
