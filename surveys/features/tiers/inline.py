"""The readers of the results of each tier, on the survey's page before launch and after."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import ManyToManyField, QuerySet
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest

from surveys.admin.people import PeopleField, PeopleSelect, people_of
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from surveys.people import person_label


class ReadersForm(forms.ModelForm):
    """Changes who reads, never the tier itself: its row is frozen with its survey."""

    class Meta:
        model = Tier
        fields = ("readers",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readers: Any = self.fields["readers"]
        readers.label = self.instance.name
        readers.label_from_instance = person_label

    def save(self, commit: bool = True) -> Tier:
        """A tier may have been removed in the same post."""
        if Tier.objects.filter(pk=self.instance.pk).exists():
            self.instance.readers.set(self.cleaned_data["readers"])
        return self.instance


class ReadersInline(admin.StackedInline):
    model = Tier
    form = ReadersForm
    fields = ("readers",)
    template = "features/tiers/readers.html"
    autocomplete_fields = ("readers",)
    extra = 0
    max_num = 0
    can_delete = False
    survey: Survey | None = None

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        self.survey = obj
        return super().get_formset(request, obj, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tier]:
        return super().get_queryset(request).order_by("position", "pk")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may change a survey may name its readers."""
        return True

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField | None:
        kwargs["queryset"] = people_of(request, self.survey.pk if self.survey else None)
        kwargs["form_class"] = PeopleField
        kwargs["widget"] = PeopleSelect(db_field, self.admin_site)
        return super().formfield_for_manytomany(db_field, request, **kwargs)
