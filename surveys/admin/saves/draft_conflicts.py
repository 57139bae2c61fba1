"""A save of a page that others have changed since it was loaded: nothing of theirs is put back.

The page carries fingerprints of the values that it was loaded with. What only the others have
changed stays theirs; where both have changed a value the save is refused, and the page shows both.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from surveys.admin.saves.merged_rows import ASK, MINE, THEIRS, Conflict, Merged, RowMerge
from surveys.authoring.draft_merge import Loaded, Prints, fingerprint, merge_fields, prints_of
from surveys.forms.fields.shown_values import posted_values, readable, shown_values
from surveys.forms.question import QuestionForm
from surveys.forms.survey import SurveyForm

SEEN, UNSETTLED, CHOICE = "seen", "unsettled", "choose:"
# More is no page of this site.
LONGEST_SEEN = 1_000_000


@dataclass(frozen=True, slots=True)
class FreshPage:
    """The forms of a page as it would be loaded now."""

    form: BaseForm
    formsets: Sequence[Any]

    def seen(self) -> str:
        """Return what the page carries, to be read by `read_seen` when it is posted."""
        rows = {
            formset.prefix: [
                [str(form.instance.pk), _row_prints(form)] for form in formset.initial_forms
            ]
            for formset in self.formsets
        }
        return json.dumps({"fields": prints_of(shown_values(self.form)), "rows": rows})


def _row_prints(form: BaseForm) -> Prints:
    values = shown_values(form)
    return prints_of({name: texts for name, texts in values.items() if name != "position"})


def read_seen(text: str) -> dict[str, Loaded] | None:
    """Return what the page had loaded, by set of rows; None for any other text.

    The key of its own fields is "".
    """
    try:
        content = json.loads(text[:LONGEST_SEEN])
        fields = {str(name): str(mark) for name, mark in content["fields"].items()}
        sets = {
            str(prefix): {
                str(key): {str(name): str(mark) for name, mark in marks.items()}
                for key, marks in rows
            }
            for prefix, rows in content["rows"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return {"": Loaded(fields, {}), **{prefix: Loaded({}, rows) for prefix, rows in sets.items()}}


def settle(request: HttpRequest, page: FreshPage) -> Merged:
    """Put what others have changed into the posted data; what is left to decide is returned."""
    loaded = read_seen(request.POST.get(SEEN, ""))
    if loaded is None:
        return Merged()
    data = request.POST.copy()
    decide = _decisions(data)
    merged = _settle_fields(data, loaded[""], page.form, decide)
    for formset in page.formsets:
        rows = loaded.get(formset.prefix, Loaded({}, {})).rows
        of_rows = RowMerge(data, rows, formset, decide).run()
        merged.taken += of_rows.taken
        merged.conflicts += of_rows.conflicts
    request.POST = data  # type: ignore[assignment]  # a copy that can be changed
    if merged.taken:
        message = _(
            "This survey was changed meanwhile, in another tab or by somebody else. What you had "
            "not touched is as it was changed there: %s."
        )
        messages.warning(request, message % "; ".join(merged.taken))
    return merged


def _settle_fields(data: QueryDict, loaded: Loaded, form: BaseForm, decide: Any) -> Merged:
    merged = Merged()
    stored, posted = shown_values(form), posted_values(data, form)
    merge = merge_fields(loaded.fields, stored, posted)
    for name in stored:
        field = form.fields[name]
        label = str(form[name].label)
        decision = decide(name, name in merge.open)
        if decision == THEIRS or name in merge.taken:
            data.setlist(name, list(stored[name]))
        elif decision == ASK:
            mine, theirs = (
                readable(field, texts) for texts in (posted.get(name, ()), stored[name])
            )
            merged.conflicts.append(Conflict(name, label, mine, theirs))
        if name in merge.taken:
            merged.taken.append(label)
    return merged


def _decisions(data: QueryDict) -> Any:
    """Return a function that tells what the author chose for a key that the page asked about."""
    asked = set(data.get(UNSETTLED, "").split())

    def decide(key: str, is_open: bool) -> str:
        if is_open:
            return ASK
        choice = data.get(f"{CHOICE}{key}", "") if key in asked else MINE
        return choice if choice in (MINE, THEIRS) else ASK

    return decide


def refusal_words() -> str:
    """Why nothing is saved while something is left to decide."""
    return _(
        "Nothing is saved yet: what you have changed was changed meanwhile, in another tab or by "
        "somebody else. Choose below which of the two stays, and save again."
    )


def unsaved_texts(data: QueryDict) -> list[tuple[str, str]]:
    """Return what was typed on a page whose survey has been launched since, by label."""
    loaded = read_seen(data.get(SEEN, ""))
    if loaded is None:
        return []
    texts = []
    for name, field in SurveyForm.base_fields.items():
        posted = data.getlist(name)
        if name in loaded[""].fields and loaded[""].fields[name] != fingerprint(posted):
            texts.append((str(field.label or name), readable(field, posted)))
    return texts + _unsaved_rows(data, loaded.get("questions", Loaded({}, {})))


def _unsaved_rows(data: QueryDict, loaded: Loaded) -> list[tuple[str, str]]:
    texts = []
    for name in data:
        prefix, _hyphen, rest = name.partition("-")
        index, _hyphen, part = rest.partition("-")
        field = QuestionForm.base_fields.get(part)
        if prefix != "questions" or field is None or part in ("position", "design_follows"):
            continue
        prints = loaded.rows.get(data.get(f"questions-{index}-id", ""), {})
        posted = data.getlist(name)
        if prints.get(part, fingerprint(())) != fingerprint(posted):
            title = " ".join(data.get(f"questions-{index}-text", "").split())[:80]
            texts.append((f"{title}, {field.label or part}", readable(field, posted)))
    return texts
