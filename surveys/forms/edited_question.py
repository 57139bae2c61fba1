"""A question while it is edited: what no longer fits is replaced, and its author is told."""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.devices import FAMILIES, default_family, fitting
from surveys.drafts import Draft
from surveys.forms.question import STARTS, QuestionForm
from surveys.forms.sheets import Sheet
from surveys.kinds import KINDS
from surveys.models import Question


class EditedQuestionForm(QuestionForm):
    """A device that does not fit any more is replaced by the usual one of the kind.

    So is the usual one itself, if another kind or other answers have another. Whether an answer is
    required and can be refused follows how the question is asked, until its author says otherwise
    or chooses a device: that is for so many answers.
    `replaced`: what is said of a device, after validation.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = Draft.of(self.instance)
        # Where no device fits yet, nobody has chosen one.
        self._has_usual = usual_design(stored) in ("", stored.design)
        self.replaced = ""

    def clean(self) -> dict[str, Any]:
        before, now = bool(self.instance.randomized), self.cleaned_data.get("randomized")
        starts = STARTS[before]
        untouched = all(self.cleaned_data.get(name) == starts[name] for name in starts)
        if now is not None and untouched and self._has_usual:
            self.cleaned_data.update(STARTS[bool(now)])
        return super().clean()

    def fit_device(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("kind") not in KINDS:
            super().fit_device(cleaned)
            return
        chosen = cleaned.get("design") or ""
        follows = self._has_usual and chosen == self.instance.design
        fits = chosen in self.fitting(cleaned)
        if follows or not fits:
            # Named before its settings are read, so that they are stored with it.
            cleaned["design"] = usual_design(self.draft({**cleaned, "design": ""}))
            self.errors.pop("design", None)
        super().fit_device(cleaned)
        if cleaned.get("randomized") and not (follows or fits):
            self._say_replaced(chosen, cleaned["design"])

    def fitting(self, cleaned: dict[str, Any]) -> list[str]:
        """The names of the fitting devices, and of a chosen one that stays while answers change."""
        draft = self.draft(cleaned)
        names = [family.name for family in fitting(draft)]
        chosen_family = FAMILIES.get(draft.design)
        if chosen_family and chosen_family.name not in names and chosen_family.stays(draft):
            names.append(chosen_family.name)
        return names

    def _say_replaced(self, before: str, now: str) -> None:
        if before in FAMILIES and now != before:
            words = _("The device “%(before)s” does not fit any more; “%(now)s” is used instead.")
            values = {"before": FAMILIES[before].label, "now": FAMILIES[now].label}
            self.replaced = words % values


def usual_design(draft: Draft) -> str:
    """Return the name of the usual device of a question; "" while none fits it."""
    return default_family(draft).name if draft.kind in KINDS and fitting(draft) else ""


def question_sheet(question: Question) -> Sheet:
    return Sheet(question, _form)


def _form(data: QueryDict | None, question: Question) -> EditedQuestionForm:
    return EditedQuestionForm(data, instance=question)
