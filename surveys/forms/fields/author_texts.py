"""Fields for texts of authors, in the form in which they are stored (`surveys.author_texts`)."""

from typing import Any

from django import forms

from surveys.author_texts import one_line, paragraphs


class LineField(forms.CharField):
    """A text of one line; what has nothing to be seen is empty."""

    def to_python(self, value: Any) -> Any:
        return one_line(super().to_python(value) or "") or self.empty_value

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "data-author-text": "line"}


class ParagraphsField(forms.CharField):
    """A text of several lines."""

    def to_python(self, value: Any) -> Any:
        return paragraphs(super().to_python(value) or "") or self.empty_value

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "data-author-text": "paragraphs"}
