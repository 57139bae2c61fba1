"""The graph of attributes, joined by how strongly they depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray
from rr_engine.association.table import Table
from rr_engine.clusters import dependence
from rr_engine.clusters.attributes import Attribute, check_attributes, positions_of
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.estimation.discoveries import find_significant
from rr_engine.multiattribute.joint_result import JointEstimate

FORMAT = 1
MISSING = ("refuse", "mark")
# Cohen's small effect: w of a table, r of a correlation.
SMALL_EFFECT = 0.1
# Average share of independent pairs among those that seem to depend on each other.
FALSE_RATE = 0.2
NUMBERS = ("similarity", "standard_errors", "lower", "p_values")
# Most cells of a pair's table: a larger one is not read off randomized reports.
MOST_CELLS = 4096
TEXTS = {
    "never_asked": "The pair was never asked: nothing is known of its dependence, and it counts as "
    "none.",
    "nothing_told": "The reports tell nothing of the pair: there are fewer than two.",
    "no_spread": "All estimated answers to one of the two questions are the same.",
    "rare_merged": "Categories that are too rare for the noise were merged for this pair: its "
    "dependence may be larger.",
    "mostly_noise": "Noise is larger than the largest dependence would be: the value says little.",
}

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairNote(Shown):
    """A remark on one pair.

    Attributes
    ----------
    first, second : str
        Names of the attributes.
    code, message : str

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.channels import joint_design
    >>> from rr_engine.clusters import Attribute, dependence_graph
    >>> asked = [Attribute("smokes", 2), Attribute("drinks", 2)]
    >>> few = estimate_joint([joint_design([2, 2], 0.1)], [[2, 1], [1, 1]])
    >>> [note.code for note in dependence_graph(asked, {("smokes", "drinks"): few}).notes]
    ['mostly_noise']
    """

    first: str
    second: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class DependenceGraph(FrozenArrays):
    """Attributes and, for every pair of them, how strongly they depend on each other.

    Attributes
    ----------
    attributes : tuple of Attribute
    similarity : ndarray of float, shape (m, m)
        Cramer's V, or the size of the correlation of two attributes with an order, corrected for
        noise; 1 on the diagonal, and nan for a pair that was never asked.
    standard_errors : ndarray of float, shape (m, m)
        0 on the diagonal; 0.5 where nothing is known.
    lower : ndarray of float, shape (m, m)
        Lower ends of the intervals at 95 %, each for a pair by itself.
    p_values : ndarray of float, shape (m, m)
        Of each pair by itself the chance that independent answers would seem as dependent; 0 on
        the diagonal, and 1 for a pair that was never asked.
    respondents : ndarray of int, shape (m, m)
        Number of reports on each pair; 0 on the diagonal.
    notes : tuple of PairNote

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.channels import joint_design
    >>> from rr_engine.clusters import Attribute, dependence_graph
    >>> asked = [Attribute("smokes", 2), Attribute("drinks", 2)]
    >>> pair = estimate_joint([joint_design([2, 2], 0.7)], [[400, 150], [150, 300]])
    >>> graph = dependence_graph(asked, {("smokes", "drinks"): pair})
    >>> graph.names, graph.similarity.round(2).tolist()
    (('smokes', 'drinks'), [[1.0, 0.76], [0.76, 1.0]])
    """

    attributes: tuple[Attribute, ...]
    similarity: FloatArray
    standard_errors: FloatArray
    lower: FloatArray
    p_values: FloatArray
    respondents: IntArray
    notes: tuple[PairNote, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of categories."""
        return tuple(attribute.size for attribute in self.attributes)

    def weights(self, least: float = SMALL_EFFECT, rate: float = FALSE_RATE) -> FloatArray:
        """Return the similarities that count: 0 for what may be noise, and on the diagonal.

        Parameters
        ----------
        least : float, default 0.1
            Smaller similarities count as independence.
        rate : float, default 0.2
            Of the pairs that seem to depend on each other, the share that is independent on average
            (Benjamini and Hochberg).

        Returns
        -------
        ndarray of float, shape (m, m)
            Also 0 where a dependence is not told from noise, or the pair was never asked.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", second edition,
           Erlbaum 1988, sections 3.2 and 7.2 (0.1 is a small effect).
        .. [2] Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate: A Practical and
           Powerful Approach to Multiple Testing", Journal of the Royal Statistical Society B 57
           (1995), 289-300.
        """
        smallest = check.probability(least, "least")
        share = check.probability(rate, "rate")
        known = np.nan_to_num(self.similarity)
        asked = np.triu(~np.isnan(self.similarity), 1)
        told = np.zeros(known.shape, dtype=np.bool_)
        told[asked] = find_significant(self.p_values[asked], share, "benjamini-hochberg")
        return np.where((known >= smallest) & (told | told.T), known, 0.0)

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, numbers and strings that JSON can hold; None for nan."""
        unknown = np.isnan(self.similarity)
        return {
            "format": FORMAT,
            "attributes": [
                {"name": each.name, "size": each.size, "scores": each.scores and list(each.scores)}
                for each in self.attributes
            ],
            "similarity": [
                [None if missing else value for value, missing in zip(*row, strict=True)]
                for row in zip(self.similarity.tolist(), unknown.tolist(), strict=True)
            ],
            "standard_errors": self.standard_errors.tolist(),
            "lower": self.lower.tolist(),
            "p_values": self.p_values.tolist(),
            "respondents": self.respondents.tolist(),
            "notes": [[note.first, note.second, note.code] for note in self.notes],
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> DependenceGraph:
        """Return the graph that :meth:`to_dict` wrote."""
        if not isinstance(stored, Mapping) or stored.get("format") != FORMAT:
            rule = f"be what to_dict gave, of format {FORMAT}"
            raise ArgumentError("stored", stored, rule, "unknown_format")
        try:
            return cls._rebuilt(stored)
        except (KeyError, TypeError, ValueError, OverflowError) as wrong:
            rule = "be what to_dict gave, and whole"
            raise ArgumentError("stored", stored, rule, "stored_damaged") from wrong

    @classmethod
    def _rebuilt(cls, stored: Mapping[str, Any]) -> DependenceGraph:
        attributes = tuple(
            Attribute(each["name"], each["size"], each["scores"]) for each in stored["attributes"]
        )
        shape = (len(attributes),) * 2
        # None becomes nan.
        similarity, errors, lower, p_values = (
            np.array(stored[name], dtype=np.float64).reshape(shape) for name in NUMBERS
        )
        respondents = np.array(stored["respondents"], dtype=np.int64).reshape(shape)
        notes = tuple(
            PairNote(first, second, code, TEXTS[code]) for first, second, code in stored["notes"]
        )
        return cls(attributes, similarity, errors, lower, p_values, respondents, notes)


def dependence_graph(
    attributes: Sequence[Attribute],
    estimates: Mapping[tuple[str, str], JointEstimate],
    missing: str = "refuse",
) -> DependenceGraph:
    """Measure the dependence of every pair of attributes from randomized reports on it.

    Parameters
    ----------
    attributes : sequence of Attribute
    estimates : mapping of pairs of names to JointEstimate
        For each pair the estimated table, the first attribute along its rows, from
        :func:`rr_engine.estimate_joint` of one device over the pair or of two. Inversion, whose
        noise is centred, is what corrections are made for.
    missing : {"refuse", "mark"}, default "refuse"
        What becomes of a pair without an estimate; "mark" gives it the similarity nan and the note
        `never_asked`.

    Returns
    -------
    DependenceGraph
        Of two attributes with an order the size of Pearson's correlation, else Cramer's V.

    Raises
    ------
    ArgumentError
        For estimates of other sizes, unknown names, missing pairs, and pairs of more than 4,096
        combinations.

    Notes
    -----
    docs/methods/clusters.md.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, section 4.
    .. [2] W. Bergsma, "A bias-correction for Cramer's V and Tschuprow's T", Journal of the Korean
       Statistical Society 42 (2013), 323-328.

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.channels import joint_design
    >>> asked = [Attribute("smokes", 2), Attribute("drinks", 2)]
    >>> pair = estimate_joint([joint_design([2, 2], 0.7)], [[400, 150], [150, 300]])
    >>> graph = dependence_graph(asked, {("smokes", "drinks"): pair})
    >>> round(float(graph.similarity[0, 1]), 3), round(float(graph.standard_errors[0, 1]), 3)
    (0.761, 0.056)
    """
    given = check_attributes(attributes)
    check.choice(missing, "missing", MISSING)
    tables = check_pairs(estimates, given)
    _check_complete(tables, given, missing)
    return _graph(
        given,
        {pair: measure(table, given, pair) for pair, table in tables.items()},
        {pair: table.n for pair, table in tables.items()},
    )


def measure(table: Table, attributes: Sequence[Attribute], pair: Pair) -> dependence.Dependence:
    """Return the dependence of one pair, by the measure for its attributes."""
    first, second = (attributes[place] for place in pair)
    if first.scores is None or second.scores is None:
        return dependence.cramers_dependence(table, (first.ordered, second.ordered))
    return dependence.correlation_dependence(table, np.array(first.scores), np.array(second.scores))


def check_pairs(value: object, attributes: Sequence[Attribute]) -> dict[Pair, Table]:
    """Return the tables by the places of their attributes."""
    if not isinstance(value, Mapping):
        rule = "be a mapping of pairs of names to estimated tables"
        raise ArgumentError("estimates", value, rule, "not_pairs")
    tables: dict[Pair, Table] = {}
    for names, estimate in value.items():
        places = positions_of(names, attributes, "estimates")
        if len(places) != 2 or places in tables or places[::-1] in tables:
            rule = "name two attributes for each table, and each pair once"
            raise ArgumentError("estimates", names, rule, "not_pairs")
        first, second = (attributes[place] for place in places)
        table = dependence.check_pair_table(estimate, (first.size, second.size))
        if table.proportions.size > MOST_CELLS:
            rule = f"have at most {MOST_CELLS:,} combinations of {first.name} and {second.name}"
            raise ArgumentError("estimates", first.size * second.size, rule, "too_many_cells")
        tables[places] = table
    return tables


def _check_complete(tables: dict[Pair, Table], given: Sequence[Attribute], missing: str) -> None:
    for first, second in combinations(range(len(given)), 2):
        if missing == "refuse" and not {(first, second), (second, first)} & tables.keys():
            names = (given[first].name, given[second].name)
            rule = 'hold every pair; missing="mark" takes those that were never asked as unknown'
            raise ArgumentError("estimates", names, rule, "pairs_missing")


def _graph(
    attributes: tuple[Attribute, ...],
    found: dict[Pair, dependence.Dependence],
    people: dict[Pair, int],
) -> DependenceGraph:
    size = len(attributes)
    similarity, errors = np.full((size, size), np.nan), np.full((size, size), dependence.WIDE)
    lower, p_values = np.zeros((size, size)), np.ones((size, size))
    respondents = np.zeros((size, size), dtype=np.int64)
    notes = []
    for first, second in combinations(range(size), 2):
        pair = (first, second) if (first, second) in found else (second, first)
        code: str | None = "never_asked"
        if pair in found:
            each = found[pair]
            code = each.note
            for cell in (pair, pair[::-1]):
                similarity[cell], errors[cell] = each.value, each.standard_error
                lower[cell], p_values[cell] = each.lower, each.p_value
                respondents[cell] = people[pair]
        if code:
            names = attributes[first].name, attributes[second].name
            notes.append(PairNote(*names, code, TEXTS[code]))
    for matrix, value in ((similarity, 1.0), (errors, 0.0), (lower, 1.0), (p_values, 0.0)):
        np.fill_diagonal(matrix, value)
    return DependenceGraph(
        attributes, similarity, errors, lower, p_values, respondents, tuple(notes)
    )
