"""Data of models of followers and others: columns, reports, and how those others report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError, EngineError, NotIdentifiableError
from rr_engine.library.noncompliance.respondent_types import FORMS, TypeLikelihood
from rr_engine.precision import CONDITION_LIMIT, condition_number
from rr_engine.regression.engine.covariates import Covariates, check_covariates, scale_columns
from rr_engine.regression.engine.samples import GroupedRows, ModelSample, group_rows, model_sample
from rr_engine.regression.report_likelihoods import ReportLikelihoods, check_designs, check_varying
from rr_engine.sampling.weighted_sample import WeightedSample

# Columns of every table: followers without the trait, followers with it, and the others.
TYPES = 3


@dataclass(frozen=True, slots=True, eq=False)
class TypeReports:
    """One report of each respondent, with its likelihood for the three types.

    Attributes
    ----------
    table : ndarray of float, shape (all reports of all devices + 1, 3)
    reports : ReportLikelihoods
        Whose `row_of` says which row of the table is each respondent's.
    """

    table: FloatArray
    reports: ReportLikelihoods


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TypeData:
    """Data that a model is fitted to.

    Attributes
    ----------
    form : str
        One of respondent_types.FORMS.
    answers : tuple of TypeReports
        The reports that each respondent has sent, given the type independent of each other.
    covariates : Covariates
    share_covariates : Covariates or None
        None: one share for all.
    sample : ModelSample
        With weights of mean 1; zero for respondents without any report.
    """

    form: str
    answers: tuple[TypeReports, ...]
    covariates: Covariates
    share_covariates: Covariates | None
    sample: ModelSample

    @property
    def _parts(self) -> list[Covariates]:
        return [part for part in (self.covariates, self.share_covariates) if part is not None]

    def grouped(self, *beside: FloatArray) -> GroupedRows:
        """Return groups of alike respondents by all columns, reports, and numbers beside them."""
        columns = np.column_stack([*(part.columns for part in self._parts), *beside])
        codes = np.column_stack([answer.reports.row_of for answer in self.answers])
        return group_rows(columns, codes, self.sample.weights)

    def scaled(self, groups: GroupedRows) -> list[tuple[FloatArray, FloatArray]]:
        """Return scaled columns of trait and share, each with what turns its coefficients back."""
        found, start = [], 0
        for part, argument in zip(self._parts, ("X", "share_X"), strict=False):
            columns = groups.columns[:, start : start + len(part.names)]
            start += len(part.names)
            with named_as(X=argument):
                scaling = scale_columns(
                    columns, groups.weights, part.names, intercept=part.intercept
                )
            found.append((scaling.apply(columns), scaling.transform))
        return found if len(found) > 1 else [*found, (np.ones((len(groups.codes), 1)), np.eye(1))]

    def likelihoods(self, groups: GroupedRows) -> FloatArray:
        """Return how likely each type sends the reports of a group, shape (groups, 3)."""
        found = np.ones((len(groups.codes), TYPES))
        for place, answer in enumerate(self.answers):
            found *= answer.table[groups.codes[:, place]]
        return found

    def likelihood(self) -> tuple[TypeLikelihood, FloatArray]:
        """Return the likelihood in scaled columns, and what turns its coefficients back."""
        groups = self.grouped()
        (trait, back), (share, share_back) = self.scaled(groups)
        size = len(back)
        transform = np.zeros((size + len(share_back),) * 2)
        transform[:size, :size], transform[size:, size:] = back, share_back
        mixing = FORMS[self.form](self.likelihoods(groups))
        return TypeLikelihood(trait, share, mixing, groups), transform

    def without(self, names: Sequence[str]) -> TypeData:
        """Return the same without columns of the trait."""
        kept = [place for place, name in enumerate(self.covariates.names) if name not in names]
        rest = Covariates(
            columns=self.covariates.columns[:, kept],
            names=tuple(self.covariates.names[place] for place in kept),
            intercept=self.covariates.intercept and 0 in kept,
        )
        return replace(self, covariates=rest)


class Given(NamedTuple):
    """What a fit is given of its respondents beside their reports."""

    X: ArrayLike | None
    weights: ArrayLike | None
    intercept: bool
    names: Sequence[str] | None
    sample: WeightedSample | None
    share_X: ArrayLike | None = None
    share_names: Sequence[str] | None = None


def check_type_data(
    form: str, answers: Sequence[TypeReports], given: Given, *, assumed: bool = False
) -> TypeData:
    """Return checked data; refuses devices that cannot tell the types apart.

    `assumed`: whether the share of the others is given, so that they need not be told apart.
    """
    n = answers[0].reports.n
    reported = np.any([answer.reports.reported for answer in answers], axis=0)
    people = model_sample(given.weights, given.sample, n).of_those(reported)
    weights = people.weights
    check_varying(answers[0].reports, weights, "reports")
    _check_possible(answers, weights)
    covariates = check_covariates(given.X, n, given.names, intercept=given.intercept)
    share_covariates = None
    if given.share_X is None and given.share_names is not None:
        rule = "be left out where there is no share_X"
        raise ArgumentError("share_names", given.share_names, rule, "labels_do_not_fit")
    if given.share_X is not None:
        with named_as(names="share_names", X="share_X"):
            share_covariates = check_covariates(given.share_X, n, given.share_names, intercept=True)
    _check_types_differ(answers, weights, TYPES - 1 if assumed else TYPES)
    return TypeData(
        form=form,
        answers=tuple(answers),
        covariates=covariates,
        share_covariates=share_covariates,
        sample=people.with_mean_one(),
    )


@contextmanager
def named_as(**names: str) -> Iterator[None]:
    """Give arguments the names that the caller knows them by, in errors."""
    try:
        yield
    except EngineError as error:
        name = names.get(error.argument, error.argument)
        raise type(error)(name, error.value, error.rule, error.code) from error


def _check_possible(answers: Sequence[TypeReports], weights: FloatArray) -> None:
    """Refuse reports that no type of respondent sends."""
    chances = np.ones((len(weights), TYPES))
    for answer in answers:
        chances *= answer.table[answer.reports.row_of]
    impossible = np.flatnonzero((weights > 0) & (chances == 0).all(axis=1))
    if impossible.size:
        rule = "be such as some kind of respondent sends, unlike that of respondent "
        rule += str(impossible[0])
        raise CountsError("reports", answers[0].reports, rule, "impossible_report")


def _check_types_differ(answers: Sequence[TypeReports], weights: FloatArray, types: int) -> None:
    """Refuse devices under which two types, or mixtures of them, send the same reports."""
    devices = np.column_stack([answer.reports.device_of for answer in answers])
    blocks = []
    for combination in np.unique(devices[weights > 0], axis=0):
        rows = np.ones((1, TYPES))
        for answer, device in zip(answers, combination, strict=True):
            own = answer.table[answer.reports.block(int(device))]
            rows = (rows[:, None, :] * own[None, :, :]).reshape(-1, TYPES)
        blocks.append(rows)
    if not condition_number(np.vstack(blocks)[:, :types]) < CONDITION_LIMIT:
        designs = [design.matrix.tolist() for design in answers[0].reports.designs]
        rule = "differ enough, among the respondents' devices, to tell followers from the others: "
        rule += "ask some with a device of other chances, or directly"
        if len(answers) > 1:
            rule += ", or with an anchor that the inattentive answer otherwise than the attentive"
        raise NotIdentifiableError("designs", designs, rule, "groups_indistinguishable")


def type_reports(
    designs: Sequence[Channel],
    reports: ArrayLike,
    which: ArrayLike | None,
    others: Sequence[FloatArray],
) -> TypeReports:
    """Return reports with the likelihood of the three types; `others`: one for each device."""
    likelihoods = ReportLikelihoods(designs, reports, which)
    astray = np.concatenate([*others, [1.0]])
    return TypeReports(np.column_stack([likelihoods.table, astray]), likelihoods)


def known_answers(
    designs: Sequence[Channel], reports: ArrayLike, known: float, other: FloatArray
) -> TypeReports:
    """Return reports on an item of known prevalence, which say nothing of the trait."""
    likelihoods = ReportLikelihoods(designs, reports)
    follower = likelihoods.table @ [1 - known, known]
    return TypeReports(np.column_stack([follower, follower, np.append(other, 1.0)]), likelihoods)


def check_yes_no(value: object, argument: str = "designs") -> tuple[Channel, ...]:
    """Return one or more devices about one yes/no question."""
    designs = check_designs(value, argument)
    if designs[0].truth_size != 2:
        rule = "be about a yes/no question: two categories"
        raise ArgumentError(argument, designs[0].truth_size, rule, "not_binary")
    return designs


def other_reports(
    designs: Sequence[Channel], otherwise: object, argument: str = "otherwise"
) -> list[FloatArray]:
    """Return how those who do not follow each device report.

    `otherwise`: None for equal chances, one distribution for all devices, or one for each.
    """
    if otherwise is None:
        return [np.full(design.tally_size, 1 / design.tally_size) for design in designs]
    entries = as_list(otherwise)
    if not entries or as_list(entries[0]) is None:
        entries = (otherwise,) * len(designs)
    if len(entries) != len(designs):
        rule = f"be one distribution, or one for each of the {len(designs)} devices"
        raise ArgumentError(argument, otherwise, rule, "lengths_differ")
    return [
        check.distribution(entry, design.tally_size, argument, getattr(design, "report_labels", ()))
        for entry, design in zip(entries, designs, strict=True)
    ]
