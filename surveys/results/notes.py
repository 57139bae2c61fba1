"""Notes for readers about an estimate, by the codes in the results document."""

from collections import ChainMap
from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.features import FEATURES

TEXTS: dict[str, Promise] = {
    "no_reports": _("There are no reports to this question yet."),
    "one_report": _("There is one report only, which says nothing about its own uncertainty."),
    "all_alike": _("All reports are the same. The standard error understates the uncertainty."),
    "outside_range": _(
        "An estimate lies below 0 % or above 100 %. Scrambling adds chance, and taking its average "
        "out again can overshoot when the true share is near the end or reports are few. It is "
        "shown as it is, because cutting it off would bias it; the maximum-likelihood estimate "
        "beside it stays between 0 and 100 %."
    ),
    "implausible": _(
        "The reports lie outside what the device can produce; chance does this in at most 1 of "
        "1,000 surveys. Perhaps not everybody used the device as it was meant."
    ),
    "rare_reports": _(
        "Of some answers so few reports are expected that their number hardly varies from survey "
        "to survey. The interval of such a share holds the true one more often than in 95 of 100 "
        "surveys, up to all of them; it is never too short."
    ),
    "boundary": _("A maximum-likelihood estimate was held at 0 %, the end of its range."),
    "no_likelihood": _(
        "Reports are strings of bits, of which each bit is counted by itself: there is no "
        "maximum-likelihood estimate."
    ),
    "not_converged": _("The maximum-likelihood estimate did not settle; take it as approximate."),
    "ill_conditioned": _(
        "The device scrambles so strongly that small differences are magnified greatly."
    ),
    "covariance_at_projection": _(
        "Standard errors are computed at the nearest shares that can exist."
    ),
    "below_threshold": _(
        "Fewer people than the release threshold have answered this question, so only their "
        "number is shown."
    ),
    "stratum_suppressed": _(
        "Some people used a device that fewer than the release threshold used. Their reports are "
        "left out here and in the downloads until there are enough of them."
    ),
    "spread_unknown": _(
        "One bit tells nothing of how far the numbers lie apart: the standard error is the largest "
        "that they can give, and the interval covers at least as often as it says."
    ),
    "mean_outside": _(
        "The mean was estimated outside the range. Scrambling adds chance, and taking its average "
        "out again can overshoot when the true mean is near an end or reports are few. It is shown "
        "as it is, because cutting it off would bias it."
    ),
    "ranking_outside": _(
        "An estimate lies beyond what can be: a share below 0 % or above 100 %, or a mean rank "
        "before the first or behind the last. Scrambling adds chance, and taking its average out "
        "again can overshoot. It is shown as it is, and so is its interval, because cutting them "
        "off would bias them: what its interval has inside the range is what fits the data."
    ),
    "monotone": _(
        "The share of a bin was estimated below zero: the quartiles are those of the nearest "
        "shares that can exist."
    ),
    "noisy_bin": _(
        "The error of the share of a quartile's bin is larger than the share: its interval is "
        "wider than it need be, and fewer bins would tell more."
    ),
    "no_candidates": _(
        "There is no list of candidates yet, so nothing can be looked for. The author can write "
        "one at any time."
    ),
    "texts_of_a_sample": _(
        "The standard errors are those of a sample of a larger population: for exactly these "
        "people they are somewhat smaller."
    ),
    "candidates_collide": _(
        "Some candidates mark the same places, alone or together, so that their shares cannot be "
        "told apart: they have no estimate (–)."
    ),
    "too_many_candidates": _(
        "There are more candidates than the places of all cohorts can tell apart: nothing can be "
        "found with this list. A shorter one helps."
    ),
    "unlisted_strings": _(
        "Some places were marked more often than the candidates explain: a frequent text is not on "
        "the list. These places were left out. Where many frequent texts are missing, more of "
        "those found may be false; a longer list helps."
    ),
    "unexplained_variation": _(
        "The reports vary more than the candidates explain, as with texts that are not on the "
        "list: standard errors are enlarged accordingly."
    ),
    "members_missing": _(
        "Not every member has answered, so that nobody was asked about some pairs of "
        "members: ties, degrees and triads are of the pairs that somebody was asked about."
    ),
    "network_outside": _(
        "An estimate lies beyond what can be, such as a share below 0 %. Scrambling adds chance, "
        "and taking its average out again can overshoot. It is shown as it is, because cutting it "
        "off would bias it; its interval stays within what can be."
    ),
    "ratio_unknown": _(
        "The number by which a ratio is divided may well be zero: the reports tell nothing of that "
        "ratio (“anything”)."
    ),
    "network_too_few": _(
        "Fewer members have answered than a number may be about, so only their number is shown."
    ),
    "variance_not_positive": _(
        "By chance the error of the closed triads was estimated at zero or below: their interval "
        "is only a guide."
    ),
    "nobody_answered": _(
        "The share of those who answered is estimated at zero or below: any number fits."
    ),
    "strata_disagree": _(
        "People with one device answered as if they were others than people with another: by "
        "chance this happens in at most 1 of 100 surveys. Some may not have followed their device, "
        "or those who prefer it are different people."
    ),
    "options_apart": _(
        "Any number of answers could be ticked: each share is of all who answered, and the shares "
        "need not add up to 100 %."
    ),
    "few_left_out": _(
        "Fewer people than the release threshold left out some question, and too few are like them "
        "in what they answered: subtracting this from other numbers would tell what these few "
        "said. So nothing is shown about several answers together."
    ),
    "some_left_out": _(
        "Fewer people than the release threshold left out a question, or used another device. They "
        "are in the results of single questions only, together with others whom chance has picked, "
        "so that no difference of two numbers is about a few."
    ),
    "table_below_threshold": _(
        "Fewer people than the release threshold have answered both questions, so only their "
        "number is shown."
    ),
    "group_below_threshold": _(
        "Fewer people than the release threshold have answered these questions, so only their "
        "number is shown."
    ),
    "pair_below_threshold": _(
        "Some pairs were answered by fewer people than the release threshold: they are left out."
    ),
    "largest_only": _(
        "The largest of many estimates are listed. Chance has a part in which ones these are, so "
        "that on average they are larger than the true shares."
    ),
    "combination_unreported": _(
        "Nobody sent some of the combinations, so that their errors cannot be told: they are left "
        "out (–). Go by the intervals."
    ),
    "pair_too_large": _(
        "The two questions have more than 1,600 combinations of answers, which are too many for a "
        "table here. They can be added up from the file of combinations."
    ),
    "table_one_group": _(
        "Only one group, or one answer, has enough people, so there is nothing to compare it with."
    ),
    "groups_recoded": _(
        "Answers to a question asked directly that fewer people than the release threshold gave "
        "are shown together, in the same way in every table of this survey, so that nobody can be "
        "found among a few, not even by subtracting the others from the whole."
    ),
    "small_cells": _(
        "Both questions were asked directly, and fewer people than the release threshold are in "
        "some combination of their answers. So the combinations are held back."
    ),
    "groups_empty": _("Groups that nobody is in are left out."),
    "at_projection": _(
        "A combination was estimated at zero or below, so the measures of association are those of "
        "the nearest table that can exist."
    ),
    "half_added": _(
        "A combination is empty: the odds ratio counts half a person more in every combination."
    ),
    "open_odds_ratio": _(
        "A combination was estimated at zero or below: how far the odds ratio may be from its "
        "value cannot be told, so that it has no interval (–)."
    ),
    "above_one": _(
        "Cramér's V was estimated above 1, the most that there can be, and is shown as 1."
    ),
    "near_independence": _(
        "Where the test finds no association, the errors of the measures mean little: go by their "
        "intervals and the test."
    ),
    "too_thin": _(
        "The reports are too few to tell shares well from zero: the intervals of entropy, mutual "
        "information and G² are only a guide."
    ),
    "near_zero": _(
        "A share is hardly told from zero: the intervals of entropy, mutual information and G² may "
        "be somewhat wider or narrower than they should be."
    ),
    "mostly_noise": _(
        "Noise is larger than the strongest association would be: the intervals of the measures "
        "say little and may be wider than they need to be."
    ),
    "too_large": _(
        "With more than 1,600 combinations the measures of association have no interval, and noise "
        "makes them come out too large."
    ),
    "no_spread": _("All estimated answers to one question are the same."),
    "not_testable": _("All reports to one question are the same: there is nothing to test."),
    "few_expected": _("Some combinations are rare, so the p-value is only approximate."),
    "chance_pairing": _(
        "The test compares with a pairing of the answers by chance, also for a whole group."
    ),
    "empty_group": _(
        "A group's share is estimated at zero or below, so nothing can be said within it."
    ),
    "group_alike": _(
        "Everybody in a group sent the same report, so its standard error comes out as zero. Go by "
        "the interval, which keeps to the size of the group."
    ),
    "error_vanished": _(
        "All reports on something were the same, so its error cannot be told: it is left out (–)."
    ),
    "uncertain_group": _(
        "A group's share is hardly above zero, so its intervals are wide and its numbers only a "
        "guide."
    ),
}
# Shown only if no other note explains the numbers better.
MINOR = frozenset(
    {"boundary", "covariance_at_projection", "at_projection", "near_zero", "chance_pairing"}
)


def note_texts(codes: Sequence[str]) -> list[str]:
    """The remarks in the reader's language; an unknown code is shown rather than dropped."""
    texts = ChainMap(TEXTS, *(dict(feature.results.notes) for feature in FEATURES.values()))
    return [str(texts.get(code, code)) for code in sorted(codes, key=lambda c: c in MINOR)]
