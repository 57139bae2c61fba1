"""Links with each value, for those who send them."""

from collections.abc import Sequence
from itertools import islice, product

from surveys.features.link_values.section import frozen_values
from surveys.features.parts import FurtherLink
from surveys.parameters import Parameters

# So many are listed.
MOST_LINKS = 60


def links_of(parameters: Parameters) -> Sequence[FurtherLink]:
    """Return a link for each choice of values; of very many the first."""
    found = frozen_values(parameters)
    answers = [
        [
            (f"{each.question}={value}", f"{question.text}: {label}")
            for value, label in zip(each.values, question.categories, strict=False)
        ]
        for each in found
        for question in [parameters.question(each.question)]
    ]
    chosen = islice(product(*answers), MOST_LINKS) if answers else ()
    return [
        FurtherLink(
            words=", ".join(words for _fragment, words in every),
            fragment="&".join(fragment for fragment, _words in every),
        )
        for every in chosen
    ]
