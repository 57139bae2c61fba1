"""Other uses of the epsilon of members: a cap on the names, and other devices."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rr_engine
from surveys import numbers
from surveys.authoring.networks.figures import WIDE, NetworkGuess
from surveys.authoring.networks.texts import Row, Section

WAYS = {
    "independent": gettext_lazy("A bit for each name: this question"),
    "uniform": gettext_lazy("One draw: all other sets of names equally likely"),
    "subsets": gettext_lazy("Several sets of names in each report"),
    "ball": gettext_lazy("One draw: sets that differ in few names more likely"),
    "some names": gettext_lazy("Only some names, which chance picks, with a bit for each"),
}


def cap_sections(
    guess: NetworkGuess, caps: Sequence[rr_engine.networks.TieCap]
) -> Iterator[Section]:
    if not caps:
        return
    best = next((cap for cap in caps if "ties_error" in cap.best_for), caps[0])
    yield Section(
        heading=_("What “name up to …” would buy"),
        columns=[
            _("Names that may be ticked"),
            _("About one member, at this epsilon of a tie"),
            _("About one tie, at this epsilon of a member"),
            _("Names ticked then, 95 %"),
            _("Names left out"),
        ],
        rows=[_cap_row(guess, cap) for cap in caps],
        sentences=[_cap_words(guess, best)],
        folded=True,
    )


def _cap_row(guess: NetworkGuess, cap: rr_engine.networks.TieCap) -> Row:
    margin = WIDE * cap.ties_noise
    digits = numbers.digits_of_error(margin)
    given = cap.ties - cap.ties_lost
    differing = guess.names if cap.most_ties is None else 2 * cap.most_ties
    return Row(
        [
            _("no cap: this question")
            if cap.most_ties is None
            else _("up to %s") % numbers.count(cap.most_ties),
            numbers.decimal(guess.epsilon * differing),
            numbers.three_digits(cap.tie_epsilon),
            f"{numbers.fixed_decimals(given, digits)} ± {numbers.fixed_decimals(margin, digits)}",
            numbers.count(round(cap.ties_lost)),
        ],
        marked=cap.most_ties is None,
    )


def _cap_words(guess: NetworkGuess, best: rr_engine.networks.TieCap) -> str:
    promise = _(
        "Two answers of at most k names differ in at most 2k names. So a cap either lowers what "
        "all ties of one member reveal, or leaves each tie more of the same %(person)s."
    )
    if best.most_ties is None:
        verdict = _("Here no cap makes the number of ties more exact.")
    else:
        verdict = _(
            "Then “up to %(most)s” would tell the number of ties best. Candor has no cap: "
            "everybody may tick as many names as they like."
        )
    values = {
        "person": numbers.decimal(guess.person_epsilon),
        "most": numbers.count(best.most_ties or 0),
    }
    return f"{promise} {verdict}" % values


def way_sections(
    guess: NetworkGuess, ways: Sequence[rr_engine.networks.RosterWay]
) -> Iterator[Section]:
    if not ways:
        return
    best = next(way for way in ways if "tie_error" in way.best_for)
    yield Section(
        heading=_("Other devices for the same promise about a person"),
        columns=[_("Device"), _("Error of one tie of one member")],
        rows=[
            Row(
                [str(WAYS[way.way]), f"± {numbers.three_digits(WIDE * way.tie_error)}"],
                marked=way.way == "independent",
            )
            for way in ways
        ],
        sentences=[_ways_words(guess, ways, best)],
        folded=True,
    )


def _ways_words(
    guess: NetworkGuess,
    ways: Sequence[rr_engine.networks.RosterWay],
    best: rr_engine.networks.RosterWay,
) -> str:
    bits = next(way for way in ways if way.way == "independent")
    all_sets = next((way for way in ways if way.way == "uniform"), bits)
    promise = _("For a promise about one tie, bits at its epsilon are the best there is.")
    values = {
        "person": numbers.decimal(guess.person_epsilon),
        "epsilon": numbers.decimal(guess.epsilon),
        "way": f"“{WAYS[best.way]}”",
        "less": numbers.three_digits(WIDE * best.tie_error),
        "more": numbers.three_digits(WIDE * bits.tie_error),
    }
    if best.way == "independent":
        verdict = _("For %(person)s about all names together no other device here is better.")
    else:
        verdict = _(
            "For %(person)s about all names together %(way)s would be more exact, ± %(less)s "
            "instead of ± %(more)s, but could reveal more than %(epsilon)s about one tie. Candor "
            "offers bits alone."
        )
    drawn_at_once = (
        _("With so few names even a draw among all sets of names would be more exact than bits.")
        if all_sets.tie_error < bits.tie_error
        else _("A draw among all sets of names would be less exact than bits.")
    )
    return f"{promise} {verdict} {drawn_at_once}" % values
