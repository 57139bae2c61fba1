"""What a feature adds to the frozen document and to drafts.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal

    from surveys.devices.chance_strata import ChanceStratum
    from surveys.drafts import AskedQuestion, Draft
    from surveys.parameters import Members, Parameters
    from surveys.parameters import Question as FrozenQuestion
    from surveys.parameters.analyses import Analysis
    from surveys.parameters.types import Problem
    from surveys.parameters.weighting import Weighting


class Said(NamedTuple):
    """A text that is said at one place of a survey: its path, and the questions it stands before.

    Without questions it is said after all of them.
    """

    path: str
    text: str
    before: Sequence[str]


class DocumentPart:
    """The section of a feature in the frozen document, and its rules.

    `sections`: the types of its values by their keys, as msgspec reads them. The first key is the
    feature's name. A value is a list, which is empty where nothing uses the feature, or an object,
    or None there. `optional_sections`: those that a document has only where the feature is used, so
    that all others are as they were before there was such a feature; they are absent elsewhere.
    `optional_texts`: keys of texts that a document has only where they are not empty. A page shows
    them and does nothing else, so it loads nothing for them.
    `question_sections`: those of the values that each question has instead; None
    where a question does not use the feature. `mark`: what else in a document shows that it is
    used, for static/js/rr/uses.js, where it has neither. `wrong_stratum`: code and message for a
    report to a stratum into which chance has not put its sender.
    """

    sections: Mapping[str, Any] = {}
    optional_sections: Mapping[str, Any] = {}
    optional_texts: Sequence[str] = ()
    question_sections: Mapping[str, Any] = {}
    mark = ""
    wrong_stratum: tuple[str, str] = ("", "")

    def is_used(self, parameters: "Parameters") -> bool:
        """Whether a document has anything of the feature."""
        keys = (*self.sections, *self.optional_sections, *self.optional_texts)
        return any(map(parameters.section, keys)) or any(
            question.section(key) is not None
            for key in self.question_sections
            for question in parameters.questions
        )

    def problems(self, parameters: "Parameters") -> "Iterator[Problem]":
        """Yield the rules that a document breaks; static/js/features/ has the twin."""
        yield from ()

    def asked_alike(self, question: "FrozenQuestion") -> bool:
        """Whether everybody has to be asked a question in the same way."""
        return False

    def may_come_first(self, parameters: "Parameters", later: str, earlier: str) -> bool:
        """Whether chance may ask the later one of two questions before the earlier one."""
        return False

    def values_beside(self, parameters: "Parameters") -> Mapping[str, int]:
        """Return how many values each has that a response says as it is beside its reports."""
        return {}

    def leaves_out(self, parameters: "Parameters", question: str) -> bool:
        """Whether some people are not asked a question, and report nothing."""
        return False

    def said(self, parameters: "Parameters") -> "Sequence[Said]":
        """Return what the feature says at one place of the survey each, beside the questions."""
        return ()

    def untranslatable(self, parameters: "Parameters", texts: Mapping[str, str]) -> Sequence[str]:
        """Return the paths of those translated texts that do not fit what they are made of."""
        return ()

    def analyses(self, parameters: "Parameters") -> "Sequence[Analysis]":
        """Return the models that were asked for before anybody answered."""
        return ()

    def weighting(self, parameters: "Parameters") -> "Weighting | None":
        """Return what is known of the population, to which respondents are weighted."""
        return None

    def crossed(self, parameters: "Parameters") -> Sequence[tuple[str, str]]:
        """Return the pairs of questions of which the answers of a person are counted together."""
        return ()

    def versions(self, parameters: "Parameters") -> Sequence[str]:
        """Return who reads each version of the reports, the most scrambled first.

        Nothing where the feature has everybody read the same.
        """
        return ()

    def part_titles(self, parameters: "Parameters") -> Mapping[str, str]:
        """Return the title of the part of the survey in which a question stands, by its name.

        Nothing where the feature divides a survey into none; empty of a part without a title.
        """
        return {}

    def asked_together(self, parameters: "Parameters") -> Sequence[Sequence[str]]:
        """Return questions that stand on one page and in one order, each list by their names."""
        return ()

    def common_texts(self, parameters: "Parameters") -> Mapping[str, str]:
        """Return the text that a question has in common with others, by the question's name."""
        return {}

    def members(self, parameters: "Parameters") -> "Members | None":
        """Return the people whom the survey knows and asks about each other; None of nobody."""
        return None

    def strata(self, parameters: "Parameters") -> Mapping[str, int]:
        """Return of how many people in a hundred chance puts into each stratum, the page's first.

        Nothing where the feature has everybody asked alike.
        """
        return {}


class DraftPart:
    """The part for drafts: what a feature makes of a question that is not launched yet."""

    def strata(self, draft: "Draft") -> "Sequence[ChanceStratum]":
        """Return the strata besides the page's of a question, as they would be frozen."""
        return ()

    def is_for_some(self, question: "AskedQuestion | Draft") -> bool:
        """Whether “does not apply” is one of the answers to a question."""
        return False

    def for_whom(self, question: "AskedQuestion | Draft") -> str:
        """Return whom a question is for, the same text for the same people; empty for everybody."""
        return ""

    def epsilons(self, question: "AskedQuestion | Draft") -> "Iterable[Decimal]":
        """Yield the other epsilons with which some people are asked a question, as typed."""
        return ()
