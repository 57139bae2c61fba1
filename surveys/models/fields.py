"""The column of the frozen parameters: JSON in the database, typed and immutable here."""

from typing import Any

from django.db import models

from surveys.parameters import Parameters, from_json, read, to_json


class ParametersField(models.JSONField):
    """Reads the frozen JSON as `Parameters`; values are written unchanged."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Parameters | None:
        return None if value is None else from_json(value)

    def to_python(self, value: Any) -> Any:
        """The parameters of a fixture, which has the document as plain JSON types."""
        return read(value) if isinstance(value, dict) else value

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        plain = to_json(value) if isinstance(value, Parameters) else value
        return super().get_db_prep_value(plain, connection, prepared)

    def value_to_string(self, obj: models.Model) -> Any:
        return to_json(self.value_from_object(obj))
