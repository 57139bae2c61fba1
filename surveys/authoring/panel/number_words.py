"""The comparison of devices for a number, at the planned number of people, in words.

The errors are those of `rr_engine.bounded.compare_number_devices`, for numbers spread evenly over
the range: a guess that leads to neither device.
"""

from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import kind_of
from surveys.parameters import Scale

# Half the width of a 95 % interval in standard errors.
WIDE = 1.959964
# A median is worth other bins where these bring its largest error down by so much.
CLEARLY = 1.25
COUNTS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50)


def number_words(question: AskedQuestion | Draft, planned_n: int) -> str:
    """One bit beside bins, in words; empty for what is no number, or not yet one."""
    draft = Draft.of(question)
    found = number_comparison(draft, planned_n)
    if found is None or draft.scale is None:
        return ""
    (one_bit, *_others), binned = found.devices, _binned(found, draft.scale)
    values = {
        "n": numbers.count(planned_n),
        "bit": _margin(one_bit.mean, draft.scale),
        "bins": numbers.count(binned.bins or 0),
        "binned": _margin(binned.mean, draft.scale),
        "reach": _amount(binned.mean.discretisation, draft.scale),
    }
    mean = _(
        "With %(n)s respondents one bit gives the mean to ± %(bit)s; %(bins)s bins give it to "
        "± %(binned)s, and up to %(reach)s more because nobody knows where in a bin a number lies."
    )
    return f"{mean % values} {_of_the_median(found, draft.scale)}"


def unsuitable_bins(question: AskedQuestion | Draft, planned_n: int) -> str:
    """Return that another number of bins would tell clearly more of the median; empty if not."""
    draft = Draft.of(question)
    found = number_comparison(draft, planned_n)
    if found is None or draft.scale is None or not draft.scale.bins:
        return ""
    chosen, best = _binned(found, draft.scale).median, found.best_for_median
    if chosen is None or best.median is None or chosen.largest <= CLEARLY * best.median.largest:
        return ""
    text = _(
        "With %(n)s respondents %(best)s bins tell more of the median than these %(count)s: it is "
        "expected to be off by %(less)s instead of %(more)s, the width of a bin included."
    )
    return text % {
        "n": numbers.count(planned_n),
        "best": numbers.count(best.bins or 0),
        "count": numbers.count(len(draft.scale.bins)),
        "less": _amount(best.median.largest, draft.scale),
        "more": _amount(chosen.largest, draft.scale),
    }


def number_comparison(draft: Draft, planned_n: int) -> rr_engine.bounded.NumberComparison | None:
    """The devices at the question's epsilon, those with the author's number of bins among them."""
    if not kind_of(draft).numeric or draft.scale is None or not draft.epsilon:
        return None
    own = [len(draft.scale.bins)] if draft.scale.bins else []
    return rr_engine.bounded.compare_number_devices(
        *draft.scale.ends,
        draft.epsilon,
        planned_n,
        steps=draft.scale.steps,
        bin_counts=sorted({*own, *COUNTS}),
    )


def margin_words(draft: Draft, margin: float) -> str:
    """Return a margin in points of a share; of a mean in the units of the number."""
    if draft.scale is None or kind_of(draft).is_categorical(draft):
        return numbers.margin(margin)
    return mean_margin(draft.scale, margin)


def mean_margin(scale: Scale, share: float) -> str:
    """A margin of a share of the range, in the units of the number: "± 6.7 hours"."""
    lower, upper = scale.ends
    return f"± {_amount(share * (upper - lower), scale)}"


def _of_the_median(found: rr_engine.bounded.NumberComparison, scale: Scale) -> str:
    best = found.best_for_median
    if best.median is None:
        return ""
    text = _(
        "Only bins tell the median and the distribution: best with %(bins)s bins, the median to ± "
        "%(margin)s in bins of %(width)s."
    )
    return text % {
        "bins": numbers.count(best.bins or 0),
        "margin": _margin(best.median, scale),
        "width": _amount(best.median.discretisation, scale),
    }


def _binned(
    found: rr_engine.bounded.NumberComparison, scale: Scale
) -> rr_engine.bounded.NumberDevice:
    """The bins of the author, or the best ones for the median."""
    count = len(scale.bins)
    own = next((device for device in found.devices if device.bins == count), None)
    return own if own is not None and count else found.best_for_median


def _margin(error: rr_engine.bounded.ExpectedError, scale: Scale) -> str:
    return _amount(WIDE * error.standard_error, scale)


def _amount(amount: float, scale: Scale) -> str:
    digits = numbers.digits_of_error(amount)
    return f"{numbers.fixed_decimals(amount, digits)} {scale.unit}".strip()
