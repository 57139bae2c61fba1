"""The front door of the pooled distribution: from attributes and reports."""

from collections.abc import Mapping, Sequence

from rr_engine import check
from rr_engine.arrays import as_list
from rr_engine.crowd.components import Component, components_of
from rr_engine.crowd.distribution import PooledDistribution
from rr_engine.crowd.pairs import MeasuredPair, Pair, measured_pair
from rr_engine.crowd.reports import ClusterReports, CrowdAttribute, check_known, estimate_cluster
from rr_engine.errors import ArgumentError


def pooled_distribution(
    attributes: Sequence[CrowdAttribute],
    clusters: Sequence[ClusterReports],
    pairs: Sequence[ClusterReports] = (),
) -> PooledDistribution:
    """Return the approximate joint distribution behind the reports on clusters of attributes.

    Parameters
    ----------
    attributes : sequence of CrowdAttribute
        Those that no cluster is about are left out.
    clusters : sequence of ClusterReports
        Clusters that share attributes have their margins made consistent; their reports are taken
        to come from different people, or to be independent.
    pairs : sequence of ClusterReports, optional
        Reports of the same people on two attributes of different clusters, each by a device of its
        own: their channels are a :class:`rr_engine.channels.ProductChannel` of two. As many pairs
        as were measured, each once.

    Returns
    -------
    PooledDistribution
        The product over clusters that share nothing; the joint table of largest entropy where
        they do, or where pairs across them were measured, of at most 2**20 combinations.

    Raises
    ------
    ArgumentError
        For attributes or clusters that are none, or do not fit each other.
    DesignError
        For clusters that share attributes and have too many combinations together.
    NotIdentifiableError
        When a device's reports do not determine the proportions.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, sections 3 and 4.
    .. [2] W. Qardaji, W. Yang and N. Li, "PriView: Practical Differentially Private Release of
       Marginal Contingency Tables", SIGMOD 2014 (consistent margins, largest entropy).

    Examples
    --------
    >>> from rr_engine.channels import joint_design
    >>> smokes, drinks = CrowdAttribute("smokes", 2, (0, 1)), CrowdAttribute("drinks", 3, (0, 1, 2))
    >>> reports = ClusterReports(
    ...     ["smokes", "drinks"], [joint_design([2, 3], 0.8)], [[400, 100, 100, 100, 100, 200]]
    ... )
    >>> crowd = pooled_distribution([smokes, drinks], [reports])
    >>> round(float(crowd.share({"smokes": [1], "drinks": [2]}).values[0]), 3)
    0.218
    """
    known = _check_attributes(attributes)
    checked = _check_clusters(clusters, known)
    estimates = [
        estimate_cluster(reports, tuple(known[name].size for name in reports.attributes))
        for reports in checked
    ]
    named = {name for reports in checked for name in reports.attributes}
    about = tuple(attribute for name, attribute in known.items() if name in named)
    components = components_of(about, estimates)
    return PooledDistribution(about, components, _measured(pairs, known, components))


def _measured(
    value: object, known: Mapping[str, CrowdAttribute], components: Sequence[Component]
) -> dict[Pair, MeasuredPair]:
    entries = as_list(value)
    if entries is None or not all(isinstance(entry, ClusterReports) for entry in entries):
        rule = "be a list of ClusterReports"
        raise ArgumentError("pairs", value, rule, "not_clusters")
    held = {name: place for place, each in enumerate(components) for name in each.names}
    found: dict[Pair, MeasuredPair] = {}
    for reports in entries:
        names = reports.attributes
        for name in names:
            check_known(name, known, "pairs")
        measured = measured_pair(reports, tuple(known[name].size for name in names))
        apart = len({held.get(name, -1) for name in names}) == 2 and names[0] in held
        if not apart or names[1] not in held or frozenset(names) in found:
            rule = "each name two attributes of clusters that share nothing, and none twice"
            raise ArgumentError("pairs", names, rule, "not_pairs")
        found[frozenset(names)] = measured
    return found


def _check_attributes(value: object) -> Mapping[str, CrowdAttribute]:
    rule = "be a list of one or more CrowdAttribute"
    entries = check.instances(value, "attributes", CrowdAttribute, rule, "not_crowd_attributes")
    known = {attribute.name: attribute for attribute in entries}
    if len(known) < len(entries):
        raise ArgumentError("attributes", value, "have different names", "repeated_label")
    return known


def _check_clusters(value: object, known: Mapping[str, CrowdAttribute]) -> Sequence[ClusterReports]:
    rule = "be a list of one or more ClusterReports"
    entries = check.instances(value, "clusters", ClusterReports, rule, "not_clusters")
    for reports in entries:
        for name in reports.attributes:
            check_known(name, known, "clusters")
    return entries
