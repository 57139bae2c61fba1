"""Texts with answers in them, where no script puts any there."""

from surveys.features.parts import PagePart
from surveys.features.piping.section import at_rest, piped_texts, said_in
from surveys.parameters import Parameters, in_language


class PipingOnPage(PagePart):
    def at_rest(self, parameters: Parameters) -> Parameters:
        said = {each.path: each.text for each in said_in(parameters)}
        texts = {each.text: at_rest(said[each.text]) for each in piped_texts(parameters)}
        return in_language(parameters, parameters.language, texts) if texts else parameters
