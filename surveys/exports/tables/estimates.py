"""The estimated shares: a row for each answer of each question, and of each group of each declared
table or pair of joint questions, once as a share of everybody and once as a share of the group;
and the means of scales, means and quartiles of numbers, ranks of items, and statistics of networks.
"""

from collections.abc import Iterator, Sequence

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.snapshot import released_content
from surveys.exports.table import Cell, Column, Row, Table, Type, Value
from surveys.features import FEATURES
from surveys.models import Launch
from surveys.results_document.document import Results
from surveys.results_document.kinds import Mixing, Quantile
from surveys.results_document.parts import Part, Share
from surveys.results_document.questions import QuestionResults
from surveys.results_document.tables import TableResults

NAME = "estimates"
EVERYBODY, GROUP, NUMBER = "everybody", "group", "number"
NETWORK, MEMBERS, PAIRS = "network", "members", "pairs"
RANKING = "ranking"


def table(launch: Launch, step: int = 0) -> Table:
    """The estimates of the latest release with all digits; raises MovingError if there is none."""
    content = released_content(launch, step)
    with translation.override(language_of(launch)):
        return Table(NAME, _("Estimated shares"), _columns(), _rows(content))


def _rows(content: Results) -> Iterator[Row]:
    for question in content.questions:
        for row in question.categories:
            yield (question.id, "", "", row.label, EVERYBODY, question.n, *numbers_of(row))
        for feature in FEATURES.values():
            for whose, answer, share in feature.results.shares(question):
                yield (question.id, "", "", answer, whose, question.n, *numbers_of(share))
        yield from _of_scale(question)
        yield from _of_number(question)
        for text in question.texts.candidates if question.texts else ():
            yield (question.id, "", "", text.label, EVERYBODY, question.n, *numbers_of(text))
        yield from _of_ranking(question)
        yield from _of_network(question)
    for crossing in content.all_tables:
        if crossing.cells:
            yield from _of_groups(crossing, EVERYBODY, crossing.cells)
            yield from _of_groups(crossing, GROUP, crossing.conditional)


def _of_scale(question: QuestionResults) -> Iterator[Row]:
    """The mean of the scores of a scale."""
    mean = question.mean
    if mean:
        own = Share(estimate=mean.value, standard_error=mean.standard_error, interval=mean.interval)
        yield (question.id, "", "", "mean", NUMBER, question.n, *numbers_of(own))


def _of_number(question: QuestionResults) -> Iterator[Row]:
    """The mean and the quartiles of a number, in its units."""
    number = question.number
    if not number:
        return
    for found in (number.mean, *number.quantiles):
        name = f"p{round(100 * found.chance)}" if isinstance(found, Quantile) else "mean"
        yield (question.id, "", "", name, NUMBER, question.n, *numbers_of(found))


def _of_ranking(question: QuestionResults) -> Iterator[Row]:
    """The mean rank of each item, its shares of ranks, and who puts which item before which."""
    ranking = question.ranking
    if not ranking:
        return
    name, n = question.id, question.n
    labels = [row.label for row in ranking.means]
    for row in ranking.means:
        yield (name, "", row.label, "mean rank", NUMBER, n, *numbers_of(row))
    for share in ranking.shares:
        answer = f"rank {share.rank}"
        yield (name, "", labels[share.item], answer, EVERYBODY, n, *numbers_of(share))
    for pair in ranking.pairs:
        first, second = labels[pair.first], labels[pair.second]
        yield (name, "", first, f"before {second}", RANKING, n, *numbers_of(pair))
    for order in ranking.orders:
        answer = " > ".join(labels[item] for item in order.order)
        yield (name, "", "", answer, EVERYBODY, n, *numbers_of(order))
    if ranking.refusal is not None:
        answer = question.labels[-1]
        yield (name, "", "", answer, EVERYBODY, n, *numbers_of(ranking.refusal))


def _of_network(question: QuestionResults) -> Iterator[Row]:
    """The statistics of a network, its distributions of degrees, and the densities of groups."""
    network = question.network
    if not network:
        return
    name, n = question.id, question.n
    for row in network.statistics:
        yield (name, "", "", row.name, NETWORK, n, *numbers_of(row))
    for found in network.degrees:
        for share in found.shares:
            highest = "" if share.highest is None else share.highest
            answer = f"{found.kind} {share.lowest}-{highest}"
            yield (name, "", "", answer, MEMBERS, n, *numbers_of(share))
    mixing = network.mixing or Mixing(groups=(), cells=())
    for cell in mixing.cells:
        first, second = (mixing.groups[place].label for place in (cell.first, cell.second))
        yield (name, "", first, second, PAIRS, n, *numbers_of(cell))


def _of_groups(crossing: TableResults, base: str, rows: Sequence[Sequence[Share]]) -> Iterator[Row]:
    for group, cells in zip(crossing.group_labels, rows, strict=True):
        for answer, cell in zip(crossing.outcome_labels, cells, strict=True):
            head = (crossing.outcome, crossing.group, group, answer, base, crossing.n)
            yield (*head, *numbers_of(cell))


def numbers_of(share: Part) -> tuple[Cell, ...]:
    """The cells in the order of the columns; empty for a number that is unknown or not computed."""
    single = ("estimate", "standard_error", "maximum_likelihood", "reported", "reported_share")
    spans = ("interval", "interval_50", "confidence_sequence")
    ends = [end for name in spans for end in getattr(share, name, (None, None))]
    return (*(getattr(share, name, None) for name in single), *ends)


def _columns() -> tuple[Column, ...]:
    bases: tuple[Value, ...] = (
        Value(EVERYBODY, _("everybody")),
        Value(GROUP, _("the group")),
        Value(
            NUMBER,
            _("no share: a mean or a quantile, in the units of the question or of its scores"),
        ),
        Value(RANKING, _("those who put the items in an order")),
        Value(NETWORK, _("a statistic of the network")),
        Value(MEMBERS, _("the members, by their number of ties")),
        Value(PAIRS, _("the pairs of members of the two groups")),
    )
    for feature in FEATURES.values():
        of_feature = feature.results.share_of.items()
        bases += tuple(Value(name, str(label)) for name, label in of_feature)
    return (*text_columns(bases), *number_columns())


def text_columns(bases: tuple[Value, ...]) -> tuple[Column, ...]:
    """Return the columns that say what a row is about; `bases`: whose shares the table has."""
    return (
        Column("question", Type.TEXT, _("Variable name of the question")),
        Column("group_by", Type.TEXT, _("Variable name of the question that makes the groups")),
        Column("group", Type.TEXT, _("Group"), of_author=True),
        Column("answer", Type.TEXT, _("Answer"), of_author=True),
        Column("share_of", Type.TEXT, _("Whose share it is"), bases),
        Column("n", Type.INTEGER, _("People who answered")),
    )


def number_columns() -> tuple[Column, ...]:
    """The columns of the numbers of a share, in the order of `numbers_of`."""
    unknown = (Value(None, _("not known")),)
    numbers = {
        "estimate": _("Estimate"),
        "standard_error": _("Standard error"),
        "maximum_likelihood": _("Maximum-likelihood estimate"),
        "reported": _("Raw reports"),
        "reported_share": _("Share of the raw reports"),
        "low": _("95 % interval from"),
        "high": _("95 % interval to"),
        "low_50": _("50 % interval from"),
        "high_50": _("50 % interval to"),
        "low_sequence": _("95 % interval that is valid at every look, from"),
        "high_sequence": _("95 % interval that is valid at every look, to"),
    }
    counts = {"reported"}
    return tuple(
        Column(name, Type.INTEGER if name in counts else Type.NUMBER, label, missing=unknown)
        for name, label in numbers.items()
    )
