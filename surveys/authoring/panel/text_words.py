"""An epsilon for a short text, in words: how rare a text may be and still be found."""

from math import isfinite
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.devices import family_of
from surveys.devices.built_family import epsilon_of
from surveys.devices.rappor import expected_candidates, text_plan
from surveys.drafts import Draft
from surveys.parameters.exact import likelihood_ratio_bound

ONE_DEVICE = gettext_lazy("There is one device for a short text.")


def text_figures(draft: Draft) -> dict[str, Any]:
    """The figures of a draft that takes a text; raises EngineError on bad input."""
    plan, table = text_plan(draft), family_of(draft).table(draft)
    device = plan.device
    ratio = likelihood_ratio_bound(table)
    return {
        "set_bit": device.kept / device.denominator,
        "clear_bit": device.raised / device.denominator,
        "likelihood_ratio": float(ratio) if ratio else None,
        "detectable_share": plan.detectable_share if isfinite(plan.detectable_share) else None,
        "bits": device.bits,
        "hashes": device.hashes,
        "cohorts": device.cohorts,
        "candidates": expected_candidates(draft),
        "epsilon": float(epsilon_of(draft)),
    }


def text_frequencies(figures: dict[str, Any]) -> str:
    """How often a place is sent as marked, in natural frequencies."""
    sentence = _(
        "Of 100 places that a text marks, %(on)s are sent as marked; of 100 others, %(off)s."
    )
    ends = {"on": round(100 * figures["set_bit"]), "off": round(100 * figures["clear_bit"])}
    return sentence % {name: numbers.count(count) for name, count in ends.items()}


def text_texts(figures: dict[str, Any], planned_n: int) -> dict[str, str]:
    """The texts of the panel that are others than those of shares."""
    ends = (figures["clear_bit"], figures["set_bit"])
    return {
        "retention_label": _("Sent as marked: other places, own ones"),
        "retained": numbers.from_to(*map(numbers.percent, ends)),
        "needed": numbers.UNKNOWN,
        "margin": numbers.UNKNOWN,
        "effective": numbers.UNKNOWN,
        "belief_label": _("Belief in a text after its report"),
        "belief": numbers.UNKNOWN,
        "number": f"{detectable_words(figures, planned_n)} {filter_words(figures)}",
        "assumption": _(
            "Shares of texts are estimated by a list of candidates. It may be written after the "
            "answers came in; a text that is not on it is never seen."
        ),
    }


def detectable_words(figures: dict[str, Any], planned_n: int) -> str:
    values = {
        "n": numbers.count(planned_n),
        "candidates": numbers.count(figures["candidates"]),
        "share": numbers.percent(figures["detectable_share"], 1),
    }
    if figures["detectable_share"] is None:
        text = _(
            "With %(n)s respondents and %(candidates)s candidates not even a text that everybody "
            "gives is found with a chance of 80 %%."
        )
    else:
        text = _(
            "With %(n)s respondents and %(candidates)s candidates a text is found with a chance "
            "of 80 %% if at least %(share)s of the respondents give it."
        )
    return text % values


def filter_words(figures: dict[str, Any]) -> str:
    text = _(
        "The pattern has %(bits)s places, of which a text marks %(hashes)s, in %(cohorts)s cohorts."
    )
    return text % {name: numbers.count(figures[name]) for name in ("bits", "hashes", "cohorts")}
