"""Degradations one after the other."""

from rr_engine.errors import DesignError
from rr_engine.relaxation.degradation import TableDegradation, UniformDegradation, dense_degradation
from rr_engine.relaxation.integer_algebra import as_integers, lowest_terms


def compose_degradations(first: TableDegradation, second: TableDegradation) -> TableDegradation:
    """Return how the first reports of a chain follow from the third, by way of the second.

    Parameters
    ----------
    first, second : UniformDegradation or DenseDegradation
        From the second reports to the first, and from the third to the second.

    Returns
    -------
    UniformDegradation or DenseDegradation
        ``C = C_first C_second`` in lowest terms.

    Raises
    ------
    DesignError
        When the second reports of the two are not as many.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Lemma 3.1, for any two steps.

    Examples
    --------
    >>> half = UniformDegradation(2, kept=3, other=1, denominator=4)
    >>> compose_degradations(half, half)
    UniformDegradation(size=2, kept=5, other=3, denominator=8)
    """
    if first.next_size != second.previous_size:
        rule = f"have {first.next_size} earlier reports, as first has later ones"
        raise DesignError("second", second, rule, "reports_differ")
    denominator = first.denominator * second.denominator
    if isinstance(first, UniformDegradation) and isinstance(second, UniformDegradation):
        return _compose_uniform(first, second)
    table = as_integers(_rows(first)) @ as_integers(_rows(second))
    return dense_degradation(*lowest_terms(table, denominator))


def _rows(degradation: TableDegradation) -> list[list[int]]:
    return [degradation.row(previous) for previous in range(degradation.previous_size)]


def _compose_uniform(first: UniformDegradation, second: UniformDegradation) -> UniformDegradation:
    """With o off and k on the diagonal: k = k1 k2 + (t - 1) o1 o2, and
    o = k1 o2 + o1 k2 + (t - 2) o1 o2.
    """
    size, others = first.size, first.other * second.other
    kept = first.kept * second.kept + (size - 1) * others
    other = first.kept * second.other + first.other * second.kept + (size - 2) * others
    (entries, denominator) = lowest_terms(
        as_integers([[kept, other]]), first.denominator * second.denominator
    )
    kept, other = entries[0].tolist()
    return UniformDegradation(size, kept, other, denominator)
