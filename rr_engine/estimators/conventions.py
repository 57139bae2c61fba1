"""Parameters of estimators by scikit-learn's conventions: named in `__init__`, kept as given."""

import inspect
from typing import Any, Self

from rr_engine.errors import ArgumentError
from rr_engine.frames.extras import scikit_tags


class Estimator:
    """What has parameters, and is fitted later: `clone`, pipelines and searches can use it."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` is taken as the convention has it."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name and return the estimator.

        Raises
        ------
        ArgumentError
            For a name that is none of them.
        """
        for name, value in params.items():
            if name not in self._names():
                rule = f"be named among {', '.join(self._names())}"
                raise ArgumentError("params", name, rule, "unknown_choice")
            setattr(self, name, value)
        return self

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def __repr__(self) -> str:
        """Return the parameters that are not the defaults."""
        defaults = {n: p.default for n, p in inspect.signature(type(self)).parameters.items()}
        told = [
            f"{name}={type(value).__name__ if hasattr(value, 'matrix') else repr(value)}"
            for name, value in self.get_params().items()
            if value is not defaults[name]
        ]
        return f"{type(self).__name__}({', '.join(told)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "fit_")

    def __sklearn_tags__(self) -> Any:
        return scikit_tags(**self._tags())

    def _tags(self) -> dict[str, Any]:
        """Return what scikit-learn asks of an estimator, as `scikit_tags` takes it."""
        return {"multi_class": True}
