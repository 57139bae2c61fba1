"""What every standard says of a survey: the study, its files, and the variables of the reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from django.utils import translation

from surveys.exports.document import ExportedDevice, exported_devices, language_of
from surveys.exports.languages import in_every_language
from surveys.exports.table import Column
from surveys.exports.tables import reports
from surveys.features import terms_of, whole_text
from surveys.features.parts import Terms
from surveys.parameters import Parameters, Question
from surveys.responses.spaces import Codes
from surveys.results.release import DeviceKey, Release

PROGRAM = "Candor"
MEDIA_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "py": "text/x-python",
    "R": "text/x-r-source",
    "tex": "application/x-tex",
    "txt": "text/plain",
    "xml": "application/xml",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file beside the description: where it is, what it is, and the checksum of its bytes."""

    path: str
    label: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The path as a name: what comes before the ending, without its folder."""
        return self.path.rpartition("/")[2].partition(".")[0].lower()

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES.get(self.path.rpartition(".")[2], "application/octet-stream")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile(File):
    """A table as comma-separated values."""

    columns: tuple[Column, ...]
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A column of the reports; `question`: what was asked, by language, that of the survey first.

    `asked`: the name of the question. `made_by`: how its reports are made, in each stratum and
    wave. None of them of a column that is about no question. `counts`: how often each code stands
    in the column in the release, held-back reports aside; none where its cells are no codes.
    """

    column: Column
    question: Mapping[str, str]
    asked: str = ""
    made_by: Sequence[ExportedDevice] = ()
    counts: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question; `texts`, and of each of its `answers` what it is called, by language.

    The answers of a question about people are the codes of those.
    """

    question: Question
    texts: Mapping[str, str]
    answers: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A released survey. `titles`, `introductions`: by language, that of the survey first."""

    name: str
    titles: Mapping[str, str]
    introductions: Mapping[str, str]
    contact: str
    digest: str
    version: int
    wave: int
    is_panel: bool
    is_sample: bool
    responses: int
    epsilon: str
    launched_at: datetime
    released_at: datetime
    terms: Terms | None
    questions: Sequence[AskedQuestion]
    variables: Sequence[Variable]
    texts_in: str

    @property
    def title(self) -> str:
        return next(iter(self.titles.values()))

    @property
    def language(self) -> str:
        return next(iter(self.titles))

    @property
    def identifier(self) -> str:
        """A name that holds no other survey, version or wave."""
        return f"{self.name}-{self.digest.removeprefix('sha256:')[:12]}"


def study_of(release: Release) -> Study:
    """Return what is known of a release, which has content."""
    launch, told = release.launch.in_language(""), _told(release)
    parameters = launch.parameters_at(release.step)
    if release.computed_at is None:
        raise ValueError("nothing is released")
    return Study(
        name=parameters.survey,
        titles={language: each.title for language, each in told.items()},
        introductions={language: each.introduction for language, each in told.items()},
        contact=parameters.contact,
        digest=launch.digest_at(release.step),
        version=parameters.version,
        wave=parameters.wave,
        is_panel=parameters.wave > 1,
        is_sample=parameters.population == "sample",
        responses=release.responses,
        epsilon=str(parameters.epsilon),
        launched_at=launch.launched_at,
        released_at=release.computed_at,
        terms=terms_of(launch.survey),
        questions=[*_questions(told)],
        variables=[*_variables(release, told)],
        texts_in=language_of(launch),
    )


def _told(release: Release) -> dict[str, Parameters]:
    """The parameters by language, that of the survey first."""
    launch = release.launch
    own = launch.in_language("").parameters_at(release.step)
    others = {
        language: launch.in_language(language).parameters_at(release.step)
        for language in launch.translations
    }
    return {own.language: own, **others}


def _questions(told: Mapping[str, Parameters]) -> Iterator[AskedQuestion]:
    own = next(iter(told.values()))
    members = own.members.codes if own.members else ()
    for place, question in enumerate(own.questions):
        texts = {
            language: whole_text(each.questions[place], each) for language, each in told.items()
        }
        in_words = {language: each.questions[place].categories for language, each in told.items()}
        answers = [
            {language: labels[number] for language, labels in in_words.items()}
            for number in range(len(question.categories))
        ]
        if question.directed is not None:
            answers = [{own.language: code} for code in members]
        yield AskedQuestion(question=question, texts=texts, answers=answers)


def _variables(release: Release, told: Mapping[str, Parameters]) -> Iterator[Variable]:
    """The columns of the reports as they are where nothing is held back: readers without rows know
    them from the codebook.
    """
    launch = release.launch.in_language("")
    own = launch.parameters_at(release.step)
    asked = dict(reports.sources_of(own))
    with translation.override(language_of(launch)):
        table = in_every_language(reports.without_rows, launch, release.step, of_people=True)
        devices = [*_devices(release)]
    counted = release.counts()
    for column in table.columns:
        name = asked.get(column.name, "")
        texts = {
            language: whole_text(question, parameters)
            for language, parameters in told.items()
            for question in parameters.questions
            if question.id == name
        }
        used = [device for device in devices if _is_of(column.name, device, own)]
        yield Variable(
            column=column,
            question=texts,
            asked=name,
            made_by=used,
            counts=_counts(column, used, counted) if reports.is_wide(own) else (),
        )


def _counts(
    column: Column, used: Sequence[ExportedDevice], counted: Mapping[DeviceKey, Sequence[int]]
) -> Sequence[int]:
    """How often each code stands in a column of codes, whose devices have no other columns."""
    if any(not isinstance(each.space, Codes) or each.id != column.name for each in used):
        return ()
    rows = [counted[device.key] for device in used if device.key in counted]
    return [sum(codes) for codes in zip_longest(*rows, fillvalue=0)]


def _devices(release: Release) -> Iterator[ExportedDevice]:
    """The devices of all waves whose reports files may have."""
    for source, parameters in release.waves():
        yield from (x for x in exported_devices(parameters, source) if not x.asked_directly)


def _is_of(name: str, device: ExportedDevice, parameters: Parameters) -> bool:
    """Whether a column has reports of the device; where a row is an answer one column has all."""
    if not reports.is_wide(parameters):
        return name == "code"
    return any(field.name == name for field in device.fields())
