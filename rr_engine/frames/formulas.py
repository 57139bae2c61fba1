"""Models by formula: `reported ~ age + C(region)` and a data frame, read by formulaic.

formulaic is imported when a formula comes, and not before. It runs what stands in a formula, such
as `log(income)`: a formula is a program, and none is taken from strangers.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from rr_engine.errors import ArgumentError
from rr_engine.frames.extras import formulaic, frame_package
from rr_engine.frames.rows import lazily, leaving_out, package_of, person
from rr_engine.frames.tallies import Labelled, is_frame, labels_at

INTERCEPT = "Intercept"

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class ModelFormula:
    """A formula that a model was fitted by, with what its columns were made from.

    Attributes
    ----------
    text : str
    names : tuple of str
        Of the columns, without the intercept's.
    intercept : bool
    spec : formulaic.ModelSpec
        The levels of categories and the like.
    package : str
        Of the data frame that it was made from: "pandas" or "polars".
    """

    text: str
    names: tuple[str, ...]
    intercept: bool
    spec: Any
    package: str

    def __repr__(self) -> str:
        return f"ModelFormula({self.text!r})"

    def rows(self, frame: object, argument: str = "X") -> Labelled:
        """Return the columns of the model for the rows of a data frame.

        Raises
        ------
        ArgumentError
            For a column that is not there, and a missing value, by its row.
        """
        _check_complete(frame, self.spec.required_variables, argument)
        own = _in_package(frame, self.package, self.spec.required_variables)
        matrix = _evaluated(
            lambda: self.spec.get_model_matrix(own, context={}, na_action="ignore"),
            self.text,
            argument,
        )
        return _columns(matrix, self, frame)


def of_formula(text: str, frame: object, argument: str = "X") -> tuple[Any, ModelFormula, Labelled]:
    """Return the outcome's column, the formula, and its columns for the rows of a data frame.

    The outcome is one column of the frame as it is; None where the formula has no left side.

    Raises
    ------
    ArgumentError
    ImportError
        Without the package formulaic.
    """
    if not is_frame(frame):
        rule = f"come with a data frame of pandas or polars, whose columns it names{lazily(frame)}"
        raise ArgumentError(argument, text, rule, "not_a_frame")
    package = formulaic()
    formula: Any = _evaluated(lambda: package.Formula(text), text, argument)
    left, right = getattr(formula, "lhs", None), getattr(formula, "rhs", formula)
    if isinstance(right, tuple):
        raise ArgumentError(argument, text, "have one right side", "not_a_formula")
    outcome = None if left is None else _outcome(str(left), frame, text, argument)
    _check_complete(frame, right.required_variables, argument)
    _check_numbers(frame, {str(factor) for term in right for factor in term.factors}, argument)
    matrix = _evaluated(
        lambda: package.model_matrix(right, frame, context={}, na_action="ignore"), text, argument
    )
    names = tuple(str(name) for name in matrix.model_spec.column_names)
    own = tuple(name for name in names if name != INTERCEPT)
    model = ModelFormula(text, own, INTERCEPT in names, matrix.model_spec, package_of(frame))
    return outcome, model, _columns(matrix, model, frame)


def _outcome(name: str, frame: Any, text: str, argument: str) -> Any:
    column = name.strip("`")
    if column not in (labels_at(frame, "columns") or ()):
        rule = "have one column of the frame on its left side, which the device's reports are in, "
        rule += f"unlike {column!r}"
        raise ArgumentError(argument, text, rule, "unknown_column")
    return frame[column]


def _evaluated(call: Callable[[], R], text: str, argument: str) -> R:
    errors: Any = formulaic().errors
    try:
        return call()
    except errors.FormulaicError as error:
        said = str(error).splitlines()[0]
        rule = f"be a formula of columns of the frame: {said}"
        raise ArgumentError(argument, text, rule, "not_a_formula") from error


def _check_complete(frame: Any, names: set[str], argument: str) -> None:
    """Refuse a missing value: a category that is missing would count as the first one."""
    columns = labels_at(frame, "columns")
    if columns is None:
        rule = "be a data frame, as the model was fitted by a formula"
        raise ArgumentError(argument, frame, rule, "not_a_frame")
    for name in sorted(names & set(columns)):
        column = frame[name]
        missing = np.asarray(column.is_null() if package_of(frame) == "polars" else column.isna())
        if missing.any():
            row = int(np.flatnonzero(missing)[0])
            rule = f"have no missing values: leave {person(frame, row)} out, whose {name} is "
            rule += f"missing{leaving_out(frame, name)}, or fill it in"
            raise ArgumentError(argument, name, rule, "not_numbers")


def _check_numbers(frame: Any, factors: set[str], argument: str) -> None:
    """Refuse a column of times that stands in a formula by itself: it is no number of anything."""
    for name in sorted(factors & set(frame.columns)):
        if str(frame[name].dtype).lower().startswith(("date", "time", "duration")):
            rule = f"be numbers or categories, unlike the times in {name}: "
            rule += "give them as numbers, such as days since a date"
            raise ArgumentError(argument, name, rule, "not_numbers")


def _in_package(frame: Any, package: str, names: set[str]) -> Any:
    """Return the columns of these names in a frame of the package that the levels are kept by."""
    if package_of(frame) == package:
        return frame
    columns = {name: np.asarray(frame[name]) for name in sorted(names & set(frame.columns))}
    return frame_package(package).DataFrame(columns)


def _columns(matrix: Any, model: ModelFormula, frame: object) -> Labelled:
    table: npt.NDArray = np.asarray(matrix, dtype=np.float64)
    names = [str(name) for name in model.spec.column_names]
    own = [place for place, name in enumerate(names) if name != INTERCEPT]
    index = labels_at(frame, "index") or tuple(range(len(table)))
    return Labelled(table[:, own], index, model.names)


def by_formula(
    *, formula: str = "X", frame: str, columns: tuple[str, ...] = (), matrices: tuple[str, ...] = ()
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a model take a formula with a data frame in place of its covariates and its outcome.

    `formula` and `frame`: the arguments in whose place they stand, the first two of the model;
    `columns`: arguments of respondents that may then be names of columns; `matrices`: further
    covariates that may then be one-sided formulas. The fit keeps the formula, for predictions.
    """

    def reading(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def read(*args: P.args, **kwargs: P.kwargs) -> R:
            # Wrong calls get the error of the function itself.
            try:
                given = signature.bind(*args, **kwargs)
            except TypeError:
                return function(*args, **kwargs)
            text = given.arguments.get(formula)
            if not isinstance(text, str):
                return function(*args, **kwargs)
            data = given.arguments[frame]
            outcome, model, table = of_formula(text, data, formula)
            if outcome is None:
                rule = "have the column of the reports on its left side, as in 'reported ~ age'"
                raise ArgumentError(formula, text, rule, "not_a_formula")
            covariates, reports = ("X", frame) if formula == "X" else (frame, formula)
            given.arguments |= {covariates: table if model.names else None, reports: outcome}
            _name_columns(given.arguments, data, columns, matrices)
            _tell_intercept(given.arguments, signature, model)
            found: Any = function(*given.args, **given.kwargs)
            return replace(found, formula=model) if hasattr(found, "formula") else found

        return read

    return reading


def _name_columns(
    arguments: dict[str, Any], data: Any, columns: tuple[str, ...], matrices: tuple[str, ...]
) -> None:
    for name in columns:
        wanted = arguments.get(name)
        if isinstance(wanted, str):
            if wanted not in (labels_at(data, "columns") or ()):
                rule = "be the name of a column of the frame, or a list"
                raise ArgumentError(name, wanted, rule, "unknown_column")
            arguments[name] = data[wanted]
    for name in matrices:
        if isinstance(arguments.get(name), str):
            arguments[name] = of_formula(arguments[name], data, name)[2]


def _tell_intercept(
    arguments: dict[str, Any], signature: inspect.Signature, model: ModelFormula
) -> None:
    for name in ("names", "intercept"):
        if name in arguments:
            rule = "be left out beside a formula, which says it"
            raise ArgumentError(name, arguments[name], rule, "given_twice")
    if "intercept" in signature.parameters:
        arguments["intercept"] = model.intercept
    elif not model.intercept:
        raise ArgumentError("X", model.text, "keep the intercept", "not_a_formula")
