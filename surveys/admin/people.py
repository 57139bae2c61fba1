"""Finding people by name: an author may name researchers without seeing the list of accounts."""

from typing import Any

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from surveys.models import Survey
from surveys.people import find_people, person_label

# Fewer letters would list the accounts instead of finding a person.
LEAST_LETTERS = 2


class PeopleJsonView(AutocompleteJsonView):
    """Authors find active people by user or full name, and read nothing else about them."""

    def has_perm(self, request: HttpRequest, obj: Any = None) -> bool:
        if not self._names_researchers():
            return super().has_perm(request, obj)
        surveys = self.admin_site.get_model_admin(Survey)
        return surveys.has_add_permission(request) or surveys.has_change_permission(request)

    def get_queryset(self) -> QuerySet[Any]:
        if not self._names_researchers():
            return super().get_queryset()
        if len(self.term.strip()) < LEAST_LETTERS:
            return User.objects.none()
        return find_people(self.term)

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        if not self._names_researchers():
            return super().serialize_result(obj, to_field_name)
        return {"id": str(obj.pk), "text": person_label(obj)}

    def _names_researchers(self) -> bool:
        return self.source_field == Survey._meta.get_field("researchers")
