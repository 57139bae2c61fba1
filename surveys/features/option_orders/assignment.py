"""The orders that a response says: which was drawn of the answers to each question."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.features.option_orders.section import frozen_orders, kept_counts
from surveys.features.parts import AnswersPart, Beside, BesideColumn, Problems
from surveys.parameters import Parameters

KEY: Final = "orders"


class OrdersOfResponses(AnswersPart):
    key = KEY

    def beside(self, parameters: Parameters) -> Beside | None:
        counts = kept_counts(parameters)
        if not counts:
            return None
        return Beside(
            problems=partial(_problems, counts),
            columns=[_column(name, parameters) for name in counts],
        )


def _problems(counts: Mapping[str, int], value: Any) -> Problems:
    if value is None:
        return [(KEY, "missing", "A response says which orders were drawn.")]
    if not isinstance(value, dict) or value.keys() != counts.keys():
        return [(KEY, "not_the_orders", "It must have the order of each question that it keeps.")]
    return [
        (f"{KEY}.{name}", "out_of_range", f"An order is a whole number from 0 to {count - 1}.")
        for name, count in counts.items()
        if type(value[name]) is not int or not 0 <= value[name] < count
    ]


def _column(name: str, parameters: Parameters) -> BesideColumn:
    order = next(each for each in frozen_orders(parameters) if each.question == name)
    question = parameters.question(name)
    names = [_("as written"), _("reversed")]
    if order.by == "rotated":
        answers = question.categories[: order.count(question.answer_count)]
        names = [_("first: %(answer)s") % {"answer": answer} for answer in answers]
    label = _("Order in which the answers stood: %(question)s") % {"question": question.text}
    return BesideColumn(f"{name}.order", label, names, lambda value: value[name])
