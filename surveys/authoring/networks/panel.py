"""The panel of a question about members.

It says how well the network will be known, and what one tie, and all ties of a person, may reveal.
The figures are in `networks.figures`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import exp
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.networks.alternatives import cap_sections, way_sections
from surveys.authoring.networks.figures import WIDE, Guarantee, NetworkFigures, NetworkGuess
from surveys.authoring.networks.texts import Row, Section, share_margin, statistic_text
from surveys.devices.tie_bits import expected_ties
from surveys.drafts import Draft
from surveys.features import modes_of_features
from surveys.parameters.members import LEAST_MEMBERS
from surveys.results.kinds.network_presentation import NAMES, SHARES, WORDS
from surveys.strength import hundredths, person_level
from surveys.strength_words import guess_text

_CROWDS = (100, 1_000, 10_000)
# The statistics with a planned error, in the order of the table.
STATISTICS = (
    *("ties", "density", "mean_degree", "mutual_ties", "reciprocity"),
    *("triangles", "clustering", "transitive_triples", "transitivity"),
)
# The one of a single member, which no page of results has.
DEGREE = "degree"
GUARANTEES = {
    "tie": gettext_lazy("One tie, as one member reports it (edge level)"),
    "tie_at_both_ends": gettext_lazy("One tie, as both members report it (edge level)"),
    "person": gettext_lazy("All ties that one member reports (person level)"),
    "everything_about_person": gettext_lazy("All reports on one member’s ties, the others’ too"),
}


@dataclass(frozen=True, slots=True)
class NetworkWords:
    """The texts of the common panel, by their names there, and the sections below them."""

    texts: dict[str, str]
    sections: list[dict[str, Any]] = field(default_factory=list)


def network_words(guess: NetworkGuess, figures: NetworkFigures) -> NetworkWords:
    """All that the panel says, in the author's language."""
    epsilon = float(guess.epsilon)
    texts = {
        "strength": f"{guess_words(epsilon)} {whole_words(guess)}",
        "factor": numbers.fixed_decimals(exp(epsilon), 1),
        "planned": numbers.count(guess.answering),
        "retention_label": _("Names sent as they are"),
        "retained": numbers.percent(guess.chances[0]),
        "needed": numbers.UNKNOWN,
        "margin": share_margin(figures.margin("density")),
        "effective": numbers.UNKNOWN,
        "belief_label": _("Belief in a tie that was reported, from %s")
        % numbers.percent(guess.density),
        "belief": numbers.percent(figures.belief),
        "number": who_words(guess),
        "assumption": assumption_words(guess),
    }
    sections = [
        _network(guess, figures),
        _privacy(guess, figures.guarantees),
        *cap_sections(guess, figures.caps),
        *way_sections(guess, figures.ways),
    ]
    return NetworkWords(texts, [asdict(section) for section in sections])


def network_problem(draft: Draft) -> str:
    """Why a network of this draft cannot be planned; empty where it can."""
    names = max(draft.members - 1, 0)
    if names < LEAST_MEMBERS - 1:
        return str(next((x.no_members for x in modes_of_features() if x.no_members), ""))
    ties = expected_ties(draft)
    if ties > names:
        message = _(
            "%(ties)s ties are expected of each member, and there are only %(names)s others. "
            "Expect fewer."
        )
        return message % {"ties": numbers.decimal(ties), "names": numbers.count(names)}
    return ""


def network_frequencies(guess: NetworkGuess) -> str:
    """Natural frequencies, in the language of the respondents."""
    base = next((n for n in _CROWDS if round(n * guess.chances[1]) > 0), _CROWDS[-1])
    sentence = _(
        "Of %(names)s names that are ticked, %(on)s are sent as ticked; of %(names)s that are "
        "not, %(off)s."
    )
    on, off = (round(base * chance) for chance in guess.chances)
    counts = {"names": base, "on": on, "off": off}
    return sentence % {name: numbers.count(count) for name, count in counts.items()}


def who_words(guess: NetworkGuess) -> str:
    """How many are asked about how many, and what is unknown where not everybody answers."""
    values = {
        "members": numbers.count(guess.members),
        "names": numbers.count(guess.names),
        "answering": numbers.count(guess.answering),
        "asked": numbers.count(guess.asked_pairs),
        "pairs": numbers.count(guess.pairs),
    }
    everybody = _("There are %(members)s members, and each is asked about %(names)s others.")
    if guess.answering == guess.members:
        return everybody % values
    some = _(
        "%(answering)s of %(members)s members are expected to answer. The others can still be "
        "named, but what they would say is unknown: %(asked)s of %(pairs)s pairs are asked about."
    )
    return some % values


def assumption_words(guess: NetworkGuess) -> str:
    """Return what the margins rest on."""
    values = {
        "ties": numbers.decimal(guess.ties),
        "density": numbers.percent(guess.density),
        "returned": numbers.percent(guess.returned),
    }
    text = _(
        "For %(ties)s ties of a member on average, a density of %(density)s, spread by chance, at "
        "95 %% confidence. A network with more triangles has larger margins of them."
    )
    if guess.directed:
        returned = _("%(returned)s of the ties are taken to be returned.")
        return f"{text} {returned}" % values
    return text % values


def guess_words(epsilon: float) -> str:
    """Return what an epsilon means for a guess at one tie."""
    return guess_text(
        hundredths(epsilon),
        _(
            "A report can make an even guess at one tie (50 of 100) right %(right)s times in "
            "%(people)s, at most."
        ),
        _("A report can make an even guess at one tie practically certain."),
    )


def epsilon_words(guess: NetworkGuess) -> str:
    """Return both levels of what is promised, named."""
    text = _("%(tie)s for one tie, %(person)s for all ties of a person")
    return text % {
        "tie": numbers.decimal(guess.epsilon),
        "person": numbers.decimal(guess.person_epsilon),
    }


def whole_words(guess: NetworkGuess) -> str:
    """Return what a tie's epsilon makes of all that a member reports: the person level, named."""
    return guess_text(
        hundredths(guess.person_epsilon),
        _(
            "About all %(names)s names of one member together (person level, epsilon %(person)s) a "
            "guess can be right %(right)s times in %(people)s."
        ),
        _(
            "About all %(names)s names of one member together (person level, epsilon %(person)s) "
            "a guess can become practically certain."
        ),
        names=numbers.count(guess.names),
        person=numbers.decimal(guess.person_epsilon),
    )


# --- how well the network will be known --------------------------------------------------------


def _network(guess: NetworkGuess, figures: NetworkFigures) -> Section:
    by_name = {name: (value, WIDE * error) for name, value, error in figures.statistics}
    rows = [
        Row([_label(name, guess), *_value_and_margin(name, *by_name[name])])
        for name in (*STATISTICS, DEGREE)
        if name in by_name
    ]
    return Section(
        heading=_("How well the network will be known"),
        columns=[_("Statistic"), _("Expected"), _("Margin, 95 %")],
        rows=rows,
        sentences=[*_lost(by_name), _wanted_words(guess, figures)],
    )


def _label(name: str, guess: NetworkGuess) -> str:
    if name == DEGREE:
        return _("Ties of one member: shown to nobody")
    if name == "ties" and guess.asked_pairs == guess.pairs:
        return str(NAMES[name])
    return f"{NAMES[name]}: {WORDS[name]}"


def _value_and_margin(name: str, value: float, margin: float) -> list[str]:
    shown = share_margin(margin) if name in SHARES else f"± {statistic_text(name, margin, margin)}"
    return [statistic_text(name, value, margin), shown]


def _lost(by_name: dict[str, tuple[float, float]]) -> Iterator[str]:
    """The statistics that cannot be told from 0."""
    lost = [
        str(NAMES[name])
        for name in STATISTICS
        if name in by_name and by_name[name][1] >= by_name[name][0]
    ]
    if lost:
        text = _("Their margins are larger than they are, so that there may be none: %s.")
        yield text % ", ".join(lost)


def _wanted_words(guess: NetworkGuess, figures: NetworkFigures) -> str:
    parts = [
        _("%(epsilon)s (%(margin)s)")
        % {"margin": share_margin(margin), "epsilon": numbers.fixed_decimals(epsilon, 2)}
        for margin, epsilon in figures.wanted
    ]
    text = _(
        "To know the density to a half, a quarter and a tenth of itself takes an epsilon of %s."
    )
    return text % ", ".join(parts)


# --- what it reveals ----------------------------------------------------------------------------


def _privacy(guess: NetworkGuess, guarantees: Sequence[Guarantee]) -> Section:
    return Section(
        heading=_("What the epsilon of a tie means"),
        columns=[_("About"), _("Epsilon, at most"), _("An even guess is right")],
        rows=[_guarantee_row(guarantee) for guarantee in guarantees],
        sentences=[person_words(guess)],
    )


def _guarantee_row(guarantee: Guarantee) -> Row:
    guess = guess_text(
        hundredths(guarantee.epsilon), _("%(right)s of %(people)s"), _("practically always")
    )
    cells = [str(GUARANTEES[guarantee.scope]), numbers.decimal(guarantee.epsilon), guess]
    return Row(cells, marked=guarantee.scope == "tie")


def person_words(guess: NetworkGuess) -> str:
    """Return what the promise is about, and what it is not about."""
    values = {
        "names": numbers.count(guess.names),
        "epsilon": numbers.decimal(guess.epsilon),
        "person": numbers.decimal(guess.person_epsilon),
    }
    if person_level(hundredths(guess.person_epsilon)) == 0:
        text = _(
            "The %(names)s answers of one member are scrambled one by one. All together they can "
            "reveal as much as one answer at an epsilon of %(person)s."
        )
    else:
        text = _(
            "The promise is for one tie: %(epsilon)s. It is none for a whole person: the "
            "%(names)s answers of one member add up to %(person)s, and whoever holds two lists of "
            "names against them can tell which one is true."
        )
    return text % values
