"""The survey's list and change page."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import (
    Case,
    F,
    ForeignKey,
    ManyToManyField,
    QuerySet,
    Value,
    When,
    prefetch_related_objects,
)
from django.forms import ModelChoiceField, ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.admin.editor.change import add, change
from surveys.admin.fields import EDITABLE_AFTER_LAUNCH, fieldsets_of
from surveys.admin.pages.delete import delete
from surveys.admin.pages.history import history
from surveys.admin.pages.page import author_of
from surveys.admin.people import PeopleField, PeopleSelect, people_of
from surveys.admin.routes import survey_routes
from surveys.admin.survey_list import NEWEST, ORDERS, OrderFilter, StateFilter, SurveyList, cards_of
from surveys.forms.fields.survey_features import survey_field_names, survey_fields
from surveys.forms.survey import SurveyForm
from surveys.models import Survey, Webhook
from surveys.queries import with_counts


class SurveyAdmin(admin.ModelAdmin):
    form = SurveyForm
    view_on_site = False  # the list and the ribbon link to the form
    actions = None  # nothing is deleted in bulk
    # What is shown of each is its card.
    list_display = ["title"]
    list_filter = [StateFilter, OrderFilter]
    search_fields = ["title", "slug"]
    autocomplete_fields = ["researchers"]
    list_per_page = 50
    sortable_by = ()
    show_facets = admin.ShowFacets.NEVER
    change_list_template = "admin/surveys/survey/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Survey]:
        """What this person may change, for one page about a survey: only the list counts."""
        return self._editable(request).select_related("owner")

    def listed(self, request: HttpRequest) -> QuerySet[Survey]:
        """The surveys of the list: also those that somebody reads, or comments on."""
        surveys = Survey.objects.texts_visible_to(request.user)
        counted = with_counts(surveys.select_related("owner"))
        # The order of the list must not tell how many have answered a survey of others.
        ordered = counted.annotate(
            received_known=Case(
                When(pk__in=self._editable(request).order_by().values("pk"), then=F("received")),
                default=Value(-1),
            )
        )
        return ordered.order_by(*self.get_ordering(request))

    def get_ordering(self, request: HttpRequest) -> tuple[Any, ...]:
        """The order that was chosen, else the newest first."""
        return ORDERS.get(request.GET.get("order", ""), NEWEST)[1]

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Survey | None:
        """The survey, locked while a change is saved, so that no launch happens in between."""
        if request.method == "POST" and connection.in_atomic_block:
            if (number := self._number(request, object_id)) is None:
                return None
            list(Survey.objects.select_for_update().filter(pk=number).values_list("pk"))
        survey: Survey | None = super().get_object(request, object_id, from_field)
        if survey is not None and request.method == "GET":
            rows = [field.rows for field in survey_fields().values() if field.rows]
            prefetch_related_objects([survey], *rows)
        return survey

    def _number(self, request: HttpRequest, object_id: str) -> int | None:
        """The id of a survey that this person may change."""
        try:
            number = Survey._meta.get_field("id").to_python(object_id)
        except ValidationError:
            return None
        return self._editable(request).filter(pk=number).values_list("pk", flat=True).first()

    def _editable(self, request: HttpRequest) -> QuerySet[Survey]:
        return Survey.objects.editable_by(request.user)

    def get_fieldsets(self, request: HttpRequest, obj: Survey | None = None) -> Any:
        return fieldsets_of(obj, superuser=request.user.is_superuser)

    def get_form(
        self, request: HttpRequest, obj: Survey | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """The form of what may be changed now; the fields of features it adds itself."""
        shown = flatten_fieldsets(self.get_fieldsets(request, obj))
        own = [name for name in shown if isinstance(name, str) and name not in survey_field_names()]
        is_draft = obj is None or obj.is_draft
        kwargs["fields"] = [name for name in own if is_draft or name in EDITABLE_AFTER_LAUNCH]
        return super().get_form(request, obj, change, **kwargs)

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField | None:
        if db_field.name == "owner":
            kwargs["queryset"] = User.objects.filter(is_staff=True).order_by("username")
            kwargs["initial"] = request.user.pk
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField | None:
        if db_field.name == "researchers":
            kwargs["queryset"] = people_of(request, self._survey_id(request))
            kwargs["form_class"] = PeopleField
            kwargs["widget"] = PeopleSelect(db_field, self.admin_site)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _survey_id(self, request: HttpRequest) -> int | None:
        """The survey's id in the address of this page, if this person may change the survey."""
        match = request.resolver_match
        number = unquote(match.kwargs.get("object_id", "") if match else "")
        return self._number(request, number) if number else None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[SurveyList]:
        return SurveyList

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        answer: Any = super().changelist_view(
            request, {**(extra_context or {}), "title": _("Surveys")}
        )
        changelist = getattr(answer, "context_data", {}).get("cl")
        if changelist is not None:
            listed = cards_of(changelist.result_list, author_of(request))
            silenced = Webhook.objects.filter(user=request.user.pk, disabled_at__isnull=False)
            answer.context_data |= {"listed": listed, "with_owner": request.user.is_superuser}
            answer.context_data["has_silenced_webhook"] = silenced.exists()
        return answer

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Begin with an empty draft, which exists from then on; else show how to begin."""
        return add(self, request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the questions of a draft, and what can still be changed of a launched survey."""
        return change(self, request, object_id)

    def get_urls(self) -> list[URLPattern]:
        return [*survey_routes(self), *super().get_urls()]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        return history(self, request, object_id)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        return delete(self, request, object_id)

    @admin.display(description=_("Language"))
    def language_name(self, survey: Survey) -> str:
        return str(dict(settings.RESPONDENT_LANGUAGES).get(survey.language, survey.language))

    @admin.display(description=_("Privacy budget (total epsilon)"))
    def total_budget(self, survey: Survey) -> str:
        return numbers.decimal(survey.budget)
