"""What an author confirms before anybody is asked a sensitive question directly."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _


class DirectArmForm(forms.Form):
    """Before the arm is added, and once more before the launch."""

    understood = forms.BooleanField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        understood = self.fields["understood"]
        understood.label = _(
            "I know that the real answers of these people are stored as they are, and that nothing "
            "protects them from whoever reads the data."
        )
        understood.error_messages["required"] = _(
            "Confirm that you know what the people who are asked directly lose."
        )
