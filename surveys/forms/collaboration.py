"""The forms of co-authors and of their comments."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.forms.fields.author_texts import LineField, ParagraphsField
from surveys.models import CoAuthor
from surveys.models.comment import MOST_CHARACTERS

MOST_IN_A_NAME = 254


class CoAuthorForm(forms.Form):
    """Somebody new, by a name in full: a part of a name finds nobody."""

    person = LineField(
        label=_("Who"),
        max_length=MOST_IN_A_NAME,
        help_text=_("The whole user name, mail address, or first and last name."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    role = forms.ChoiceField(label=_("Role"), choices=CoAuthor.Role.choices, initial="comment")


class RoleForm(forms.Form):
    """Another role for somebody who is a co-author."""

    role = forms.ChoiceField(label=_("Role"), choices=CoAuthor.Role.choices)


class CommentForm(forms.Form):
    """A comment; `key` is the id of its question, or empty for the survey as a whole."""

    text = ParagraphsField(
        label=_("Comment"),
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: Any = None, *, key: str) -> None:
        # Each form of a page has names of its own, so that what is kept of one fills no other.
        super().__init__(data, prefix=f"comment-{key}", auto_id="id_%s")
        self.key = key
