"""The survey's page saves nothing that puts back what others changed, and loses nothing typed."""

from typing import Any

from django.contrib.admin.utils import unquote
from django.db import transaction
from django.forms import BaseForm, ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.admin.saves.draft_conflicts import (
    CHOICE,
    SEEN,
    UNSETTLED,
    FreshPage,
    refusal_words,
    settle,
    unsaved_texts,
)
from surveys.admin.saves.error_summary import ErrorEntry
from surveys.admin.saves.kept_posts import has_kept, mark_of, take_kept
from surveys.admin.saves.merged_rows import Conflict
from surveys.models import Survey
from surveys.services.revisions import note_revision


class CarefulSaves:
    """A part of SurveyAdmin: the attributes that it reads are those of a ModelAdmin."""

    get_object: Any
    get_formsets_with_inlines: Any

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        kept = take_kept(request) if self._may_take(request, object_id) else None
        if kept is not None:
            # As if it were posted now, and refused. What is read of the request later would replace
            # what is kept, so its files are read first: there are none.
            assert not request.FILES
            request.method = "POST"
            request.POST = kept  # type: ignore[assignment]  # a plain QueryDict does
            _refuse(request, again_words())
        with transaction.atomic():
            if request.method == "POST" and object_id is not None:
                survey = self.get_object(request, unquote(str(object_id)))
                if survey is not None:
                    note_revision(survey=survey, actor=None)
                self._settle(request, survey)
            page: Any = super()
            return page.changeform_view(request, object_id, *args, **kwargs)

    def _may_take(self, request: HttpRequest, object_id: Any) -> bool:
        """Whether this page shows what is kept: not to somebody who is not let in at present."""
        if request.method != "GET" or object_id is None or not has_kept(request):
            return request.method == "GET"
        return self.get_object(request, unquote(str(object_id))) is not None

    def _settle(self, request: HttpRequest, survey: Survey | None) -> None:
        """Merge with what is stored. A page of another state has other fields; its form says so."""
        if survey is None or request.POST.get("seen_state", "") not in ("", survey.state):
            return
        page = self.fresh_page(request, survey)
        # If the save is refused, what is stored stays as it is and the page is shown again.
        request.__dict__["page_as_stored"] = page
        merged = settle(request, page)
        conflicts_of(request).extend(merged.conflicts)
        if merged.conflicts:
            _refuse(request, refusal_words())

    def fresh_page(self, request: HttpRequest, survey: Survey) -> FreshPage:
        page: Any = self
        fieldsets = page.get_fieldsets(request, survey)
        names = [name for _title, options in fieldsets for name in options["fields"]]
        form = page.get_form(request, survey, change=True, fields=names)(instance=survey)
        formsets = [
            formset(
                instance=survey,
                prefix=formset.get_default_prefix(),
                queryset=inline.get_queryset(request),
            )
            for formset, inline in self.get_formsets_with_inlines(request, survey)
        ]
        return FreshPage(form, formsets)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        page: Any = super()
        form: type[ModelForm] = page.get_form(request, obj, change=change, **kwargs)
        # A class of this request alone.
        form.refusal = " ".join(_refusals(request))  # type: ignore[attr-defined]
        return form

    def careful_context(
        self, request: HttpRequest, context: dict[str, Any], survey: Survey | None
    ) -> dict[str, Any]:
        """Return what the page needs for a careful save, and what it shows of a refused one."""
        is_post = request.method == "POST"
        conflicts = conflicts_of(request) if is_post else []
        careful: dict[str, Any] = {
            "typed_by": mark_of(request),
            **conflict_context(conflicts),
        }
        if survey is None:
            return careful
        if is_post:
            page = request.__dict__.get("page_as_stored") or self.fresh_page(request, survey)
            if request.POST.get("seen_state", "") not in ("", survey.state):
                careful["unsaved_texts"] = unsaved_texts(request.POST)
        else:
            forms: list[BaseForm] = [context["adminform"].form]
            formsets = [inline.formset for inline in context["inline_admin_formsets"]]
            page = FreshPage(forms[0], formsets)
        return careful | {"seen": page.seen()}


def conflict_context(conflicts: list[Conflict]) -> dict[str, Any]:
    """Return what conflicts.html shows, and what it carries for the next save."""
    return {
        "conflicts": conflicts,
        "unsettled": " ".join(conflict.key for conflict in conflicts),
        "names": {"seen": SEEN, "unsettled": UNSETTLED, "choice": CHOICE},
    }


def again_words() -> str:
    return _(
        "You were not let in, or had been signed out before this was saved. What you had typed is "
        "here again, and nothing of it is saved yet. Read it, and save."
    )


def conflicts_of(request: HttpRequest) -> list[Conflict]:
    found: list[Conflict] = request.__dict__.setdefault("draft_conflicts", [])
    return found


def conflict_entries(conflicts: list[Conflict]) -> list[ErrorEntry]:
    """The conflicts in the list of errors, each with a link to its choice."""
    message = _("was changed on both sides.")
    return [ErrorEntry(each.label, message, f"choose-{each.key}") for each in conflicts]


def _refusals(request: HttpRequest) -> list[str]:
    found: list[str] = request.__dict__.setdefault("refusals", [])
    return found


def _refuse(request: HttpRequest, words: str) -> None:
    _refusals(request).append(words)
