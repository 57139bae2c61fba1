"""Packages that few functions need: imported when they are used, named when they are not there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _of_extra(name: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or name).split(".")[0]
        # Whoever asks for polars has it, as a rule; no extra brings it.
        what = package if package == "polars" else f"'rr-engine[{name}]'"
        said = f"this needs the package {package}: pip install {what}"
        raise ImportError(said, name=package) from error


def formulaic() -> Any:
    """Return formulaic, which reads formulas; an ImportError names the extra."""
    with _of_extra("frames"):
        import formulaic
    return formulaic


def frame_package(name: str) -> Any:
    """Return pandas or polars by name; an ImportError names the extra."""
    with _of_extra("frames"):
        if name == "polars":
            import polars

            return polars
        import pandas
    return pandas


def pyplot() -> Any:
    """Return matplotlib.pyplot, which draws; an ImportError names the extra."""
    with _of_extra("plots"):
        import matplotlib.pyplot
    return matplotlib.pyplot


def scikit_tags(*, kind: str = "classifier", multi_class: bool = False) -> Any:
    """Return what scikit-learn asks about an estimator; nobody else calls this."""
    import sklearn.utils as utils

    classifies = kind == "classifier"
    return utils.Tags(
        estimator_type=kind,
        target_tags=utils.TargetTags(required=True),
        classifier_tags=utils.ClassifierTags(multi_class=multi_class) if classifies else None,
        regressor_tags=None if classifies else utils.RegressorTags(),
        input_tags=utils.InputTags(),
    )
