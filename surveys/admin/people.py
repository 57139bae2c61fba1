"""Search for people by name: an author names researchers without seeing all accounts."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse

from surveys.exceptions import ThrottledError
from surveys.features import FEATURES
from surveys.models import Survey
from surveys.people import find_people, person_label
from surveys.services.co_authors import count_search

# The most people shown for one name; more would amount to a list of accounts.
MOST_PEOPLE = 5
# Longer than the names of any person, and short enough to be split in every way.
LONGEST_TERM = 200
MOST_WORDS = 8
# Session key of the accounts found since the sign-in: the id of any other account is refused.
FOUND = "found_people"
MOST_FOUND = 200
# The fields in which authors name people.
RESEARCHERS = (Survey, "researchers")


class PeopleJsonView(AutocompleteJsonView):
    """Authors find active accounts by a full name, and see nothing else about them."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().get(request, *args, **kwargs)
        if not self._names_researchers():
            return response
        try:
            count_search(request.user)
        except ThrottledError as error:
            headers = {"Retry-After": str(error.seconds)}
            return JsonResponse({"message": error.message}, status=429, headers=headers)
        _keep(request, [person.pk for person in self.object_list])
        return response

    def has_perm(self, request: HttpRequest, obj: Any = None) -> bool:
        if not self._names_researchers():
            return super().has_perm(request, obj)
        if self.admin_site is None:
            return False
        surveys = self.admin_site.get_model_admin(Survey)
        return surveys.has_add_permission(request) or surveys.has_change_permission(request)

    def get_queryset(self) -> QuerySet[Any]:
        if not self._names_researchers():
            return super().get_queryset()
        if len(self.term) > LONGEST_TERM or len(self.term.split()) > MOST_WORDS:
            return User.objects.none()
        return find_people(self.term)[:MOST_PEOPLE]

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        if not self._names_researchers():
            return super().serialize_result(obj, to_field_name)
        return {"id": str(obj.pk), "text": person_label(obj)}

    def _names_researchers(self) -> bool:
        named = {RESEARCHERS, *(field for x in FEATURES.values() for field in x.readers.named_in)}
        return (self.source_field.model, self.source_field.name) in named


class PeopleField(forms.ModelMultipleChoiceField):
    """Ids of accounts that were shown; any other posted value does not reach the database."""

    def _check_values(self, value: Any) -> QuerySet[User]:
        people = User.objects.none() if self.queryset is None else self.queryset
        keys = {str(pk): pk for pk in people.values_list("pk", flat=True)}
        for text in map(str, value):
            if text not in keys:
                raise ValidationError(
                    self.error_messages["invalid_choice"], "invalid_choice", {"value": text}
                )
        return people.filter(pk__in=[keys[str(text)] for text in value])


class PeopleSelect(AutocompleteSelectMultiple):
    """Shows the posted values again, as far as they can be ids of accounts."""

    def optgroups(self, name: str, value: Sequence[Any], attr: Any = None) -> Any:
        keys = {str(pk) for pk in self.choices.queryset.values_list("pk", flat=True)}
        return super().optgroups(name, [text for text in map(str, value) if text in keys], attr)


def people_of(request: HttpRequest, survey_id: Any) -> QuerySet[User]:
    """The people this request may choose: those who read the survey, and those found before."""
    researchers = Survey.researchers.through.objects.filter(survey_id=survey_id).values("user_id")
    matches = request.session.get(FOUND, [])
    people = Q(pk__in=researchers) | Q(pk__in=matches)
    for feature in FEATURES.values():
        people |= feature.readers.people_of(survey_id) or Q()
    return User.objects.filter(people).order_by("username")


def _keep(request: HttpRequest, people: list[int]) -> None:
    found_before = request.session.get(FOUND, [])
    new = [person for person in people if person not in found_before]
    if new:
        request.session[FOUND] = [*found_before, *new][-MOST_FOUND:]
