"""What the page of a draft sends, and what it is answered: as a page, or as JSON to its script."""

import json
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from surveys.authoring.draft_merge import Prints, Values, prints_of
from surveys.forms.fields.shown_values import posted_values
from surveys.forms.sheets import Saved, Sheet


def is_script(request: HttpRequest) -> bool:
    """Whether the page's script sends this, and wants JSON."""
    return request.headers.get("Accept", "").startswith("application/json")


def seen_of(sheet: Sheet, *names: str) -> str:
    """Return the fingerprints that a form carries of what it shows: of all fields, or of these."""
    prints = prints_of(sheet.texts())
    return json.dumps({name: prints[name] for name in names or prints})


def posted_texts(request: HttpRequest, form: BaseForm, loaded: Prints) -> Values:
    """Return what was posted of the fields that the form had; all of them if it does not say."""
    texts = posted_values(request.POST, form)
    return {name: value for name, value in texts.items() if name in loaded or not loaded}


def saved_answer(saved: Saved, sheet: Sheet, *notes: str) -> JsonResponse:
    """Return what the script needs to show what is stored now."""
    if saved.taken:
        notes = (*notes, taken_words(saved.taken))
    errors = {name: [str(text) for text in texts] for name, texts in saved.form.errors.items()}
    return JsonResponse(
        {
            "state": "unfinished" if sheet.is_unfinished else "saved",
            "seen": prints_of(sheet.texts()),
            "changed": saved.changed,
            "errors": errors,
            "notes": [note for note in notes if note],
            "disagrees": bool(sheet.disagreements()),
        }
    )


def taken_words(labels: list[str]) -> str:
    words = _("Changed meanwhile, in another tab or by somebody else, and taken over: %s.")
    return words % ", ".join(labels)


def refused_answer(state: str, message: str, status: int, **more: Any) -> JsonResponse:
    """Return why nothing could be saved; the page keeps what was typed."""
    return JsonResponse({"state": state, "message": message, **more}, status=status)
