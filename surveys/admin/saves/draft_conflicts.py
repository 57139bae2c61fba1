"""A form that others have saved since its page was loaded: nothing of theirs is put back.

The page carries fingerprints of the values that it was loaded with. What only the others have
changed stays theirs; where both have changed a value the save is refused, and the page shows both.
The settings and questions of a draft, which save themselves, are kept otherwise
(surveys/forms/sheets.py).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from surveys.admin.saves.posted_seen import SEEN, read_seen
from surveys.authoring.draft_merge import Prints, merge_fields, prints_of
from surveys.forms.fields.shown_values import posted_values, readable, shown_values

UNSETTLED, CHOICE = "unsettled", "choose:"
MINE, THEIRS, ASK = "mine", "theirs", "ask"

# The author's decision about a field, given whether both sides have changed it since it was shown.
Decide = Callable[[str, bool], str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change of both sides. `key`: the name of the field on the page."""

    key: str
    label: str
    mine: str
    theirs: str


@dataclass(slots=True)
class Merged:
    """`taken`: what was changed by others only, in words; `conflicts`: what is to be decided."""

    taken: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def seen_text(form: BaseForm) -> str:
    """Return what the page of a form carries: fingerprints of what it shows."""
    return json.dumps(prints_of(shown_values(form)))


def settle(request: HttpRequest, form: BaseForm) -> Merged:
    """Put what others have changed into the posted data; what is left to decide is returned.

    `form`: without data, as its page would be loaded now.
    """
    loaded = read_seen(request)
    if not loaded:
        return Merged()
    data = request.POST.copy()
    merged = _merge(data, loaded, form, _decisions(data))
    request.POST = data  # type: ignore[assignment]  # a copy that can be changed
    if merged.taken:
        message = _(
            "This survey was changed meanwhile, in another tab or by somebody else. What you had "
            "not touched is as it was changed there: %s."
        )
        messages.warning(request, message % "; ".join(merged.taken))
    return merged


def _merge(data: QueryDict, loaded: Prints, form: BaseForm, decide: Decide) -> Merged:
    merged = Merged()
    stored, posted = shown_values(form), posted_values(data, form)
    merge = merge_fields(loaded, stored, posted)
    for name in stored:
        asked = form.fields[name]
        label = str(form[name].label)
        decision = decide(name, name in merge.open)
        if decision == THEIRS or name in merge.taken:
            data.setlist(name, list(stored[name]))
        elif decision == ASK:
            mine, theirs = (
                readable(asked, texts) for texts in (posted.get(name, ()), stored[name])
            )
            merged.conflicts.append(Conflict(name, label, mine, theirs))
        if name in merge.taken:
            merged.taken.append(label)
    return merged


def _decisions(data: QueryDict) -> Decide:
    """Return a function that tells what the author chose for a key that the page asked about."""
    asked = set(data.get(UNSETTLED, "").split())

    def decide(key: str, is_open: bool) -> str:
        if is_open:
            return ASK
        choice = data.get(f"{CHOICE}{key}", "") if key in asked else MINE
        return choice if choice in (MINE, THEIRS) else ASK

    return decide


def conflict_context(conflicts: list[Conflict]) -> dict[str, Any]:
    """Return what conflicts.html shows, and what it carries for the next save."""
    return {
        "conflicts": conflicts,
        "unsettled": " ".join(conflict.key for conflict in conflicts),
        "names": {"seen": SEEN, "unsettled": UNSETTLED, "choice": CHOICE},
    }


def refusal_words() -> str:
    """Why nothing is saved while something is left to decide."""
    return _(
        "Nothing is saved yet: what you have changed was changed meanwhile, in another tab or by "
        "somebody else. Choose below which of the two stays, and save again."
    )
