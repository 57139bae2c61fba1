"""What every result can do: a line, a summary, a table in a notebook, and a data frame."""

from typing import Any

from rr_engine.display.description import Description
from rr_engine.display.reading import describe, short
from rr_engine.errors import ArgumentError

PACKAGES = ("pandas", "polars", "dict")


class Shown:
    """A result that shows itself; what there is to show is read from its fields.

    A class with more to say than its fields overrides :meth:`_described`. How texts are written is
    loaded when one is asked for.
    """

    __slots__ = ()

    def __init_subclass__(cls, **parts: Any) -> None:
        super().__init_subclass__(**parts)
        # A dataclass writes a wall of its fields unless the class has a line of its own.
        if "__repr__" not in vars(cls):
            cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]

    def _described(self) -> Description:
        return describe(self)

    def __repr__(self) -> str:
        return short(self)

    def _repr_html_(self) -> str:
        from rr_engine.display.writing import as_html

        return as_html(self._described())

    def summary(self) -> str:
        """Return the result as a table in text: its numbers, with four digits, and its notes."""
        from rr_engine.display.writing import as_text

        return as_text(self._described())

    def to_frame(self, package: str | None = None) -> Any:
        """Return the result's table as a data frame, a row for each of what was estimated.

        Parameters
        ----------
        package : {"pandas", "polars", "dict"}, optional
            "dict" is a dictionary of lists and needs no package. When left out, that of the frame
            that a model was fitted from by a formula, else the first of these that the program has
            loaded, or that is installed.

        Raises
        ------
        ArgumentError
        ImportError
            Naming the extra of a package that is not there.
        """
        from rr_engine.display.writing import as_frame

        if package is not None and not (isinstance(package, str) and package in PACKAGES):
            rule = f"be one of {', '.join(PACKAGES)}"
            raise ArgumentError("package", package, rule, "unknown_choice")
        own = getattr(getattr(self, "formula", None), "package", None)
        return as_frame(self._described(), package or own)
