"""A feature of a survey, as one object, and the registry in which the rooms find all of them."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from surveys.features.modes import Mode
from surveys.features.parts import (
    AnswersPart,
    Audience,
    AuthorPart,
    DefinitionPart,
    DemoPart,
    DeskPart,
    DocumentPart,
    DraftPart,
    PagePart,
    ProgramsPart,
    ReadersPart,
    ResultsPart,
    Terms,
    TypedSurvey,
)
from surveys.features.traits import Clash, Trait, clash_of
from surveys.registry import Registry

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from surveys.exports.registry import Export
    from surveys.models import Question, Survey
    from surveys.parameters import Parameters
    from surveys.parameters import Question as FrozenQuestion
    from surveys.parameters.analyses import Analysis
    from surveys.parameters.types import Problem
    from surveys.parameters.weighting import Weighting


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One thing that a survey can do.

    `name`: that of its section in the frozen document, of its settings in a draft and of its
    folders; documents keep it for ever. `words`: by which else a text may name it: no source
    outside its folders has one of them. `label`, `purpose`: what an author reads. `removal`: how an
    author does without it, as in “either ..., or ...”. `traits`: of a survey that uses it; what
    they clash with does not go with the feature. `mode`: how it tells respondents apart; then a
    survey uses it that has this mode. Each part is what one room asks of it; a feature that has
    nothing to say there leaves the part out.
    """

    name: str
    words: tuple[str, ...]
    label: "StrOrPromise"
    purpose: "StrOrPromise"
    removal: "StrOrPromise" = ""
    traits: frozenset[Trait] = frozenset()
    mode: Mode | None = None
    document: DocumentPart = field(default_factory=DocumentPart)
    draft: DraftPart = field(default_factory=DraftPart)
    author: AuthorPart = field(default_factory=AuthorPart)
    desk: DeskPart = field(default_factory=DeskPart)
    definition: DefinitionPart = field(default_factory=DefinitionPart)
    answers: AnswersPart = field(default_factory=AnswersPart)
    readers: ReadersPart = field(default_factory=ReadersPart)
    page: PagePart = field(default_factory=PagePart)
    results: ResultsPart = field(default_factory=ResultsPart)
    programs: ProgramsPart = field(default_factory=ProgramsPart)
    exports: "tuple[Export, ...]" = ()
    demo: DemoPart = field(default_factory=DemoPart)

    def clash_with(self, other: "Feature") -> Clash | None:
        """Return why a survey cannot use both; None where it can."""
        return clash_of(self.traits, other.traits)

    def is_used(self, parameters: "Parameters") -> bool:
        """Whether a document has anything of it."""
        return self.is_of_mode(parameters.mode) or self.document.is_used(parameters)

    def is_used_in_draft(self, survey: "Survey", questions: "Sequence[Question]") -> bool:
        """Whether a draft has anything of it."""
        return self.is_of_mode(survey.mode) or self.author.is_used(survey, questions)

    def is_typed(self, typed: TypedSurvey) -> bool:
        """Whether a survey would use it, once its form is saved; False where that cannot tell."""
        return self.is_of_mode(typed.cleaned.get("mode")) or self.desk.is_typed(typed)

    @property
    def survey_field(self) -> str:
        """The field of the survey's form that says whether it is used, if one does."""
        if self.mode:
            return "mode"
        return self.desk.survey_field.name if self.desk.survey_field else ""

    @property
    def has_place(self) -> bool:
        """Whether a document says that it uses the feature, and the page has its scripts then."""
        part = self.document
        sections = (part.sections, part.optional_sections, part.question_sections)
        return bool(self.mode or any(sections) or part.mark)

    def is_of_mode(self, value: object) -> bool:
        """Whether this is the mode by which a survey uses the feature."""
        return self.mode is not None and self.mode.value == value


def used_features(parameters: "Parameters") -> list[Feature]:
    """Return the features that a document uses, in their order."""
    return [feature for feature in FEATURES.values() if feature.is_used(parameters)]


# Filled once Django has loaded all models: surveys/features/registered.py.
FEATURES: Registry[Feature] = Registry()


def crossed_pairs(parameters: "Parameters") -> list[tuple[str, str]]:
    """Return the pairs of questions of which the answers of a person are counted together."""
    return [pair for feature in FEATURES.values() for pair in feature.document.crossed(parameters)]


def analyses_of(parameters: "Parameters") -> "list[Analysis]":
    """Return the models that were asked for before anybody answered."""
    return [each for feature in FEATURES.values() for each in feature.document.analyses(parameters)]


def weighting_of(parameters: "Parameters") -> "Weighting | None":
    """Return what is known of the population, to which respondents are weighted."""
    found = (feature.document.weighting(parameters) for feature in FEATURES.values())
    return next((weighting for weighting in found if weighting is not None), None)


def modes_of_features() -> list[Mode]:
    """Return how features tell respondents apart, in their order."""
    return [feature.mode for feature in FEATURES.values() if feature.mode]


def terms_of(survey: "Survey") -> "Terms | None":
    """Return under which terms others may use the data of a survey; None where nothing is said."""
    found = (feature.results.terms(survey) for feature in FEATURES.values())
    return next((terms for terms in found if terms is not None), None)


def part_titles(parameters: "Parameters") -> Mapping[str, str]:
    """Return the title of the part in which each question stands, by its name; none without."""
    return dict(ChainMap(*(dict(x.document.part_titles(parameters)) for x in FEATURES.values())))


def at_rest(parameters: "Parameters") -> "Parameters":
    """Return a document with its texts as they are before a script changes them."""
    for feature in used_features(parameters):
        parameters = feature.page.at_rest(parameters)
    return parameters


def given_without_script(parameters: "Parameters") -> Mapping[str, int]:
    """Return the questions that nobody is asked, each with its answer where no script runs."""
    return dict(ChainMap(*(dict(x.page.given(parameters)) for x in used_features(parameters))))


def audiences_without_script(parameters: "Parameters") -> Mapping[str, Audience]:
    """Return whom those questions are for that are not for everybody, where no script runs."""
    given = given_without_script(parameters)
    return dict(
        ChainMap(*(dict(x.page.audiences(parameters, given)) for x in used_features(parameters)))
    )


def untranslatable(parameters: "Parameters", texts: Mapping[str, str]) -> set[str]:
    """Return the paths of those translated texts that do not fit what they are made of."""
    used = used_features(parameters)
    return {path for x in used for path in x.document.untranslatable(parameters, texts)}


def asked_together(parameters: "Parameters") -> list[Sequence[str]]:
    """Return the names of questions that stand on one page and in one order, a list of each."""
    return [
        names
        for feature in FEATURES.values()
        for names in feature.document.asked_together(parameters)
    ]


def common_texts(parameters: "Parameters") -> Mapping[str, str]:
    """Return the text that a question has in common with others, by the question's name."""
    return dict(ChainMap(*(dict(x.document.common_texts(parameters)) for x in FEATURES.values())))


def whole_text(question: "FrozenQuestion", parameters: "Parameters") -> str:
    """Return the text of a question for those who read it alone, after what it goes on from."""
    common = common_texts(parameters).get(question.id, "")
    return f"{common} {question.text}" if common else question.text


def mode_of(value: str) -> Mode | None:
    """Return how respondents are told apart; None for open links."""
    return next((mode for mode in modes_of_features() if mode.value == value), None)


def draw_fields() -> list[str]:
    """Return the fields of a question in which those have the same number that share one draw."""
    return [feature.desk.draw_field for feature in FEATURES.values() if feature.desk.draw_field]


def has_trait(parameters: "Parameters", trait: Trait) -> bool:
    """Whether a document has a trait because of a feature that it uses."""
    return any(trait in feature.traits for feature in used_features(parameters))


def sections_of(parameters: "Parameters") -> dict[str, Any]:
    """Return the sections of a document, by their keys."""
    keys = (key for feature in FEATURES.values() for key in feature.document.sections)
    return {key: parameters.section(key) for key in keys}


def problems_of_features(parameters: "Parameters") -> Iterator["Problem"]:
    """Yield features of a document that do not go together, then the rules of each that it breaks.

    static/js/rr/rules.js has the twin.
    """
    for one, other in combinations(used_features(parameters), 2):
        clash = one.clash_with(other)
        if clash is not None and not clash.within:
            yield "clash", one.name, f"not beside {other.name}: {clash.reason}"
    for feature in FEATURES.values():
        yield from feature.document.problems(parameters)
