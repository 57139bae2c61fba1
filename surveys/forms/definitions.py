"""The form that takes a definition: a file, or the text of one."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.definitions import BadDefinitionError, Definition, read_definition


class DefinitionForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "What “Export” of a survey has downloaded, here or at another site."
        ),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "none"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("pasted", "")
        if self.errors:
            return cleaned
        if bool(file) == bool(text.strip()):
            raise ValidationError(
                _("There are two definitions: a file and a text. Leave one out.")
                if file
                else _("There is no definition yet: choose a file, or paste its text.")
            )
        content = file.read() if file else text.encode(errors="surrogatepass")
        try:
            cleaned["definition"] = read_definition(content)
        except BadDefinitionError as error:
            self.refuse(error)
        return cleaned

    @property
    def definition(self) -> Definition:
        """What was read; of a valid form."""
        definition: Definition = self.cleaned_data["definition"]
        return definition

    def refuse(self, error: BadDefinitionError) -> None:
        """Say beside what was given what is wrong with it, each with its place."""
        field = "file" if self.cleaned_data.get("file") else "pasted"
        self.add_error(field, [str(problem) for problem in error.problems])
