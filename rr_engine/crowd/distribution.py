"""The pooled distribution: from the tables of clusters to statistics and synthetic data."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_list
from rr_engine.crowd import reports
from rr_engine.crowd.components import Component, ComponentTables
from rr_engine.crowd.computed import CROWD_NOTES, ComputedStatistic
from rr_engine.crowd.computing import NOTED, SimulatedSurveys, compute
from rr_engine.crowd.linked import Pairs, joined
from rr_engine.crowd.moments import Correlation, Quantile, Regression, Variance
from rr_engine.crowd.people import PeopleModel, WholeTable, people_model
from rr_engine.crowd.statistics import ConditionalTable, Mean, Share, Statistic
from rr_engine.crowd.view import CrowdTables
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note

# An odd number, so that usual levels fall on order statistics.
REPETITIONS = 199
SEED = 2018
# Cells of a table of two attributes of different clusters.
LARGEST_PAIR = 2**20
MOST_ROWS = 10**7
Where = reports.Condition | None


@dataclass(frozen=True, eq=False)
class PooledDistribution(Shown):
    """The approximate joint distribution of a crowd's attributes.

    Attributes
    ----------
    attributes : tuple of CrowdAttribute
        Those that some cluster is about.
    components : tuple of Component
        Clusters that share attributes; attributes of different components are independent, unless
        a pair of them was measured.
    pairs : mapping of frozenset of str to MeasuredPair
        Two attributes of different components whose table was measured by the same people.

    Notes
    -----
    docs/methods/pooled.md. The joint table is never formed: a statistic takes the tables of the
    clusters that it concerns. Every method takes `where`, a condition that the people meet whom
    the statistic is about, as a mapping from attributes to the categories that are meant, and
    `repetitions` and `seed` of the simulated surveys behind its uncertainty. Of a cluster only the
    attributes that the statistic concerns are simulated, where its device has a margin for them.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, sections 3 and 4.

    Examples
    --------
    >>> from rr_engine.channels import joint_design
    >>> from rr_engine.crowd import ClusterReports, CrowdAttribute, pooled_distribution
    >>> asked = [CrowdAttribute("smokes", 2, (0, 1)), CrowdAttribute("drinks", 3, (0, 1, 2))]
    >>> counts = [[400, 100, 100, 100, 100, 200]]
    >>> crowd = pooled_distribution(
    ...     asked, [ClusterReports(["smokes", "drinks"], [joint_design([2, 3], 0.8)], counts)]
    ... )
    >>> crowd.margin(["drinks"]).round(2).tolist(), crowd.mean("drinks").values.round(2).tolist()
    ([0.55, 0.16, 0.29], [0.74])
    """

    attributes: tuple[reports.CrowdAttribute, ...]
    components: tuple[Component, ...]
    pairs: Pairs = field(default_factory=dict)

    @cached_property
    def _known(self) -> dict[str, reports.CrowdAttribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    @cached_property
    def _unbiased(self) -> tuple[ComponentTables, ...]:
        return tuple(component.unbiased() for component in self.components)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Notes that hold for all statistics."""
        missed = any(tables.deviation > NOTED for tables in self._unbiased)
        return (CROWD_NOTES.note("margins_not_met"),) if missed else ()

    def margin(self, names: Sequence[str], where: Where = None) -> FloatArray:
        """Return the fitted shares of the combinations of some attributes, none negative.

        Parameters
        ----------
        names : sequence of str
        where : mapping, optional

        Returns
        -------
        ndarray of float
            One axis for each attribute, in this order; NaN where nobody meets the condition.

        Raises
        ------
        ArgumentError

        References
        ----------
        Ours: docs/methods/pooled.md.
        """
        chosen = self._several(names, "names")
        cells = int(np.prod([float(attribute.size) for attribute in chosen]))
        if cells > LARGEST_PAIR:
            rule = f"have at most {LARGEST_PAIR} combinations"
            raise ArgumentError("names", names, rule, "too_many_cells", LARGEST_PAIR)
        condition = self._where(where)
        concerned = {*(each.name for each in chosen), *condition}
        surveys = SimulatedSurveys(self._unbiased, REPETITIONS, SEED, self.pairs)
        parts = surveys.parts([each for each in self.attributes if each.name in concerned])
        tables = CrowdTables(tuple(parts), possible=True)
        return tables.shares([each.name for each in chosen], condition)[0]

    def mean(
        self, name: str, where: Where = None, repetitions: int = REPETITIONS, seed: int = SEED
    ) -> ComputedStatistic:
        """Return the mean of a number.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        attribute = reports.check_numeric(name, self._known, "name")
        return self._compute(Mean(attribute, self._where(where)), repetitions, seed)

    def variance(
        self, name: str, where: Where = None, repetitions: int = REPETITIONS, seed: int = SEED
    ) -> ComputedStatistic:
        """Return the variance of a number.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        attribute = reports.check_numeric(name, self._known, "name")
        return self._compute(Variance(attribute, self._where(where)), repetitions, seed)

    def quantile(
        self,
        name: str,
        chance: float = 0.5,
        where: Where = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> ComputedStatistic:
        """Return the number below which a share of the people lies.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        attribute = reports.check_numeric(name, self._known, "name")
        below = check.open_unit(chance, "chance")
        return self._compute(Quantile(attribute, self._where(where), below), repetitions, seed)

    def correlation(
        self,
        names: Sequence[str],
        where: Where = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> ComputedStatistic:
        """Return Pearson's correlation of two numbers.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        pair = self._several(names, "names", numeric=True)
        if len(pair) != 2:
            raise ArgumentError("names", names, "name two attributes", "not_two_attributes")
        return self._compute(Correlation(pair[0], pair[1], self._where(where)), repetitions, seed)

    def regression(
        self,
        outcome: str,
        predictors: Sequence[str],
        where: Where = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> ComputedStatistic:
        """Return intercept and slopes of the linear regression of a number on others.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        target = reports.check_numeric(outcome, self._known, "outcome")
        others = self._several(predictors, "predictors", numeric=True)
        if target in others:
            rule = "name other attributes than the outcome"
            raise ArgumentError("predictors", predictors, rule, "axes_not_distinct")
        statistic = Regression(target, others, self._where(where))
        return self._compute(statistic, repetitions, seed)

    def conditional_table(
        self,
        outcome: str,
        given: str,
        where: Where = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> ComputedStatistic:
        """Return the shares of one attribute's categories in each category of another.

        The values of the first category come first, of all outcomes in their order.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        of, within = self._several([outcome, given], "outcome, given")
        if of.size * within.size > LARGEST_PAIR:
            rule = f"have at most {LARGEST_PAIR} combinations"
            raise ArgumentError("outcome, given", (outcome, given), rule, "too_many_cells")
        statistic = ConditionalTable(of, within, self._where(where))
        return self._compute(statistic, repetitions, seed)

    def share(
        self,
        condition: reports.Condition,
        where: Where = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> ComputedStatistic:
        """Return the share of the people who meet a condition on one or more attributes.

        References
        ----------
        .. [1] J. Domingo-Ferrer et al., PSD 2018, section 3 (statistics of the distribution).
        """
        chosen = reports.check_condition(condition, self._known, "condition")
        if not chosen:
            rule = "name one or more attributes"
            raise ArgumentError("condition", condition, rule, "not_a_condition")
        return self._compute(Share(chosen, self._where(where)), repetitions, seed)

    def synthetic(self, n: int, seed: int = SEED, names: Sequence[str] | None = None) -> IntArray:
        """Draw people from the fitted distribution: synthetic data.

        They are computed from reports alone, so that they cost no privacy beyond what the reports
        have revealed, however many are drawn (post-processing).

        Parameters
        ----------
        n : int
            From 1 to 10,000,000.
        seed : int, optional
        names : sequence of str, optional
            The attributes that they have, all where left out.

        Returns
        -------
        ndarray of int, shape (n, attributes)
            Indices of categories.

        Notes
        -----
        docs/methods/pooled.md. Attributes of clusters that no measured pair joins are drawn as
        independent: name those together that were measured together.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy",
           Foundations and Trends in Theoretical Computer Science 9, 2014, Proposition 2.1.
        """
        size = check.whole(n, "n", minimum=1, maximum=MOST_ROWS)
        generator = np.random.default_rng(check.whole(seed, "seed"))
        chosen = self.attributes if names is None else self._several(names, "names")
        columns: dict[str, IntArray] = {}
        for model in self._people(tuple(attribute.name for attribute in chosen)):
            columns |= model.draw(size, generator)
        return np.column_stack([columns[attribute.name] for attribute in chosen])

    def _people(self, names: tuple[str, ...]) -> list[PeopleModel | WholeTable]:
        """How people are drawn of each component, and of those that measured pairs join."""
        if names not in self._models:
            inside = [each for each in self.attributes if each.name in names]
            units = [each for each in self._unbiased if set(names) & set(each.names)]
            pairs = {pair: each for pair, each in self.pairs.items() if pair <= set(names)}
            self._models[names] = [
                WholeTable(group[0]) if len(group) == 1 else people_model(inside, group, pairs)
                for group in joined(units, pairs)
            ]
        return self._models[names]

    @cached_property
    def _models(self) -> dict[tuple[str, ...], list[PeopleModel | WholeTable]]:
        return {}

    # -- checks ---------------------------------------------------------------------------------

    def _where(self, where: object) -> dict[str, tuple[int, ...]]:
        """The condition without attributes of which any category is meant."""
        chosen = {} if where is None else reports.check_condition(where, self._known, "where")
        return {name: each for name, each in chosen.items() if len(each) < self._known[name].size}

    def _several(
        self, names: object, argument: str, *, numeric: bool = False
    ) -> tuple[reports.CrowdAttribute, ...]:
        entries = as_list(names)
        checked = reports.check_numeric if numeric else reports.check_known
        chosen = tuple(checked(name, self._known, argument) for name in entries or ())
        if not chosen or len(set(chosen)) < len(chosen):
            rule = "name one or more attributes, each once"
            raise ArgumentError(argument, names, rule, "axes_not_distinct")
        return chosen

    def _compute(self, statistic: Statistic, repetitions: int, seed: int) -> ComputedStatistic:
        count = check.whole(repetitions, "repetitions", minimum=19, maximum=10**5)
        number = check.whole(seed, "seed")
        surveys = SimulatedSurveys(self._unbiased, count, number, self.pairs)
        found = compute(statistic, self.attributes, surveys)
        notes = {note.code: note for note in (*self.notes, *found.notes)}
        return replace(found, notes=tuple(notes.values()))
