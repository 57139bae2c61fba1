"""A proposal in words: a row for each question, with its reason, and what the button does."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.advice.other_ways import OtherWay, other_ways
from surveys.authoring.advice.proposal import Outcome, Proposal, Share
from surveys.authoring.advice.spenders import Stays
from surveys.authoring.advice.wishes import Wish
from surveys.authoring.limits import COARSE_MARGIN, GOOD_MARGIN, USABLE_MARGIN
from surveys.authoring.panel.number_words import margin_words
from surveys.authoring.strengths import strength_label
from surveys.devices.registry import PLANNING_SHARE, planning_prior, planning_share
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.models import Question
from surveys.strength import hundredths
from surveys.strength_words import guess_text


@dataclass(frozen=True, slots=True)
class Side:
    """A question as it is, or as it is proposed; `word` is one for its margin."""

    epsilon: str
    strength: str
    margin: str
    example: str
    word: str


@dataclass(frozen=True, slots=True)
class Row:
    """`change` is "better", "worse" or "wider" where the margin changes, else empty."""

    titles: list[str]
    now: Side
    proposed: Side
    change: str
    reason: str
    ways: list[str]


def rows_of(proposal: Proposal, questions: Sequence[Question], *, groups: bool) -> list[Row]:
    """Return a row for each question, in their order; those that share a draw have one."""
    titles = {str(row.pk): f"{number}. {row.text}" for number, row in enumerate(questions, 1)}
    better, worse, wider = proposal.better, proposal.worse, proposal.wider
    rows = []
    for share in proposal.shares:
        change = ("better" if share in better else "wider") if share in [*better, *wider] else ""
        rows.append(
            Row(
                titles=[titles[key] for key in share.spender.keys],
                now=_side(share, share.spender.epsilon, share.before),
                proposed=_side(share, share.epsilon, share.margin),
                change="worse" if share in worse else change,
                reason=_reason(share, proposal),
                ways=[_way_words(way) for way in other_ways(proposal, share, may_group=groups)],
            )
        )
    return rows


def summary(proposal: Proposal) -> str:
    """Return in one sentence what the proposal reaches."""
    wish = proposal.wish
    values = {
        "margin": numbers.margin(wish.margin),
        "total": numbers.decimal(proposal.total),
        "limit": numbers.decimal(wish.limit),
    }
    if proposal.is_met:
        text = _("Every question has %(margin)s or better, with an epsilon of %(total)s in all.")
    elif proposal.left_out:
        text = _(
            "Not every question can be useful: together they may have an epsilon of %(limit)s. "
            "Here as many are useful as can be, with %(total)s in all."
        )
    else:
        text = _(
            "Not every question can have %(margin)s: together they may have an epsilon of "
            "%(limit)s, of which %(total)s are used. Every question is useful."
        )
    return text % values


def limit_words(wish: Wish) -> str:
    """Return which limit holds for all reports of one person."""
    values = {"limit": numbers.decimal(wish.limit)}
    if wish.harm.person < wish.budget:
        text = _(
            "One person reveals %(limit)s at most: more is not proposed at this level of harm."
        )
    else:
        text = _("One person reveals %(limit)s at most: that is the privacy budget.")
    return text % values


def button_words(proposal: Proposal) -> str:
    """Return what gets better and what gets worse; empty where nothing changes."""
    better, worse = len(proposal.better), len(proposal.worse)
    wider = len(proposal.wider) - worse
    phrases = {
        ngettext(
            "%(count)s question more precise and less protected",
            "%(count)s questions more precise and less protected",
            better,
        ): better,
        ngettext(
            "%(count)s question less precise and more protected",
            "%(count)s questions less precise and more protected",
            worse,
        ): worse,
        ngettext(
            "%(count)s question more protected and as precise as needed",
            "%(count)s questions more protected and as precise as needed",
            wider,
        ): wider,
    }
    said = [text % {"count": numbers.count(count)} for text, count in phrases.items() if count]
    return _("Change this: %s") % ", ".join(said) if said else ""


def confirm_words(proposal: Proposal) -> str:
    """Return what an author says before anything becomes worse; empty where nothing does."""
    count = len(proposal.worse)
    if not count:
        return ""
    text = ngettext(
        "%(count)s question becomes less precise than it is, and than is needed. I want that.",
        "%(count)s questions become less precise than they are, and than is needed. I want that.",
        count,
    )
    return text % {"count": numbers.count(count)}


def taken_words(proposal: Proposal, fields: Sequence[str]) -> str:
    """Return what was changed, and how to change it back."""
    count = sum(len(share.spender.keys) for share in proposal.shares if share.is_changed)
    text = ngettext(
        "Changed: the epsilon of %(count)s question.",
        "Changed: the epsilons of %(count)s questions.",
        count,
    )
    said = [text % {"count": numbers.count(count)}]
    if "budget" in fields:
        text = _("The privacy budget is %s now.")
        said.append(text % numbers.decimal(proposal.wish.limit))
    if "planned_n" in fields:
        text = _("Planned respondents: %s.")
        said.append(text % numbers.count(proposal.wish.planned_n))
    return " ".join([*said, _("The history of the survey brings the earlier version back.")])


def quality(margin: float) -> str:
    """Return one word for a margin."""
    if margin <= GOOD_MARGIN:
        return _("good")
    if margin <= USABLE_MARGIN:
        return _("usable")
    return _("coarse") if margin <= COARSE_MARGIN else _("useless")


def strength_text(epsilon: Decimal) -> str:
    """Return what the protection is called, and how often somebody guesses right who sees it."""
    guess = guess_text(
        hundredths(epsilon),
        _("an even guess is right %(right)s times in %(people)s"),
        _("an even guess is practically certain"),
    )
    return f"{strength_label(epsilon)}: {guess}"


def _side(share: Share, epsilon: Decimal, margin: float | None) -> Side:
    draft = share.spender.drafts[0]
    return Side(
        epsilon=numbers.decimal(epsilon),
        strength=strength_text(epsilon),
        margin=numbers.UNKNOWN if margin is None else margin_words(draft, margin),
        example=_example(draft, margin),
        word="" if margin is None else quality(margin),
    )


def _example(draft: Draft, margin: float | None) -> str:
    """Return a margin beside the share that was planned for; empty where it is no share."""
    guessed = planning_share(draft)
    share = PLANNING_SHARE if guessed is None else guessed
    is_share = draft.scale is None or kind_of(draft).is_categorical(draft)
    if margin is None or margin >= 1 or not is_share or planning_prior(draft):
        return ""
    text = _("such as %(share)s of 100, give or take %(margin)s")
    return text % {"share": numbers.out_of_100(share), "margin": numbers.points(margin, 0)}


def _reason(share: Share, proposal: Proposal) -> str:
    if share.outcome is Outcome.STAYS:
        return _stays_words(share)
    wish = proposal.wish
    values = {
        "margin": numbers.margin(wish.margin),
        "n": numbers.count(wish.planned_n),
        "limit": numbers.decimal(wish.limit),
        "most": numbers.decimal(share.spender.most),
    }
    texts = {
        Outcome.MET: _("No more than %(margin)s takes."),
        Outcome.MOST: _(
            "The most at this level of harm; %(margin)s are out of reach with %(n)s respondents."
        ),
        Outcome.SHARED: _(
            "Its part of the %(limit)s that there is for all; %(margin)s for each do not fit."
        ),
        Outcome.CROWDED: _("Left out: to be useful it would take what the other questions need."),
        Outcome.HOPELESS: _(
            "Left out: even with %(most)s, the most at this level of harm, it finds nothing with "
            "%(n)s respondents."
        ),
    }
    words = texts[share.outcome] % values
    if not share.is_left_out:
        return words
    if share.is_changed:
        rest = _("It gets next to nothing: take it out of the survey, or ask it in another way.")
    else:
        rest = _("It stays as it is: take it out of the survey, or ask it in another way.")
    return f"{words} {rest}"


def _stays_words(share: Share) -> str:
    spender = share.spender
    values = {"least": numbers.decimal(spender.least), "most": numbers.decimal(spender.most)}
    texts = {
        Stays.MADE_FOR_ONE: _("Stays as it is: its device is made for this epsilon."),
        Stays.NO_MARGIN: _("Stays as it is: what it finds has no margin of a share."),
        Stays.RANDOMIZER: _(
            "Stays as it is: its physical randomizer needs an epsilon of %(least)s. Choose another "
            "one, or none."
        ),
        Stays.OTHER_EPSILONS: _(
            "Stays as it is: some of the respondents are asked it with another epsilon."
        ),
    }
    words = texts[spender.stays or Stays.NO_MARGIN] % values
    if spender.cost <= spender.most:
        return words
    text = _("It has more than %(most)s, the most that is proposed at this level of harm.")
    return f"{words} {text % values}"


def _way_words(way: OtherWay) -> str:
    values = {
        "margin": numbers.margin(way.margin),
        "epsilon": numbers.decimal(way.epsilon),
        "number": numbers.count(way.partner or 0),
        "device": way.device.label if way.device else "",
    }
    if way.people is not None:
        text = _("With about %(people)s respondents: %(margin)s or less, beside the others.")
        return text % {**values, "people": numbers.count(way.people)}
    if way.answers is not None:
        text = _("With %(answers)s answers: %(margin)s at epsilon %(epsilon)s.")
        return text % {**values, "answers": numbers.count(way.answers)}
    if way.device is not None:
        text = _("With the device “%(device)s”: %(margin)s at epsilon %(epsilon)s.")
        return text % values
    text = _(
        "Sent together with question %(number)s: %(margin)s for both, at epsilon %(epsilon)s for "
        "both."
    )
    return text % values
