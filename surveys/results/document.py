"""The results document, a pure function of tallies and frozen parameters, so that anyone with an
export gets the same numbers. Its types are in `surveys/results_document/`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

import rr_engine
from surveys.devices.registry import certificate_of
from surveys.features import FEATURES, whole_text
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS
from surveys.kinds.estimation_inputs import Answered, Input, Stratum
from surveys.parameters import Parameters, Question, joint_of, joint_of_all
from surveys.parameters.budget import spent, spent_delta, text_of
from surveys.parameters.cards import shown_by
from surveys.results.held_back import Waiting
from surveys.results.joint_questions.estimates import all_joint_results
from surveys.results.launch_strata import (
    Source,
    Tallies,
    direct_strata,
    released_strata,
    strata_of,
)
from surveys.results.tables.estimates import all_table_results, with_left_out
from surveys.results_document.devices import UsedDevice
from surveys.results_document.document import (
    FORMAT,
    Epsilons,
    LeftOut,
    Results,
    SourceOfReports,
    result_types,
)
from surveys.results_document.questions import QuestionResults

# By question.
Candidates = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Together:
    """The reports of the people whom joint numbers are about, and what is published of these."""

    sources: Sequence[Source]
    left_out: LeftOut


def results_document(
    parameters: Parameters,
    digest: str,
    tallies: Tallies,
    responses: int,
    *,
    others: Sequence[Source] = (),
    candidates: Candidates | None = None,
    waiting: Waiting | None = None,
    together: Together | None = None,
) -> Results:
    """Return every estimate of a survey with its inputs.

    `others`: reports to the same questions that came to other launches, pooled in the estimates.
    `candidates`: the texts whose shares are estimated, of each question that takes a text.
    `together`: without it, tables are about everybody.
    `waiting`: how many direct answers are not in the tallies yet, by device.
    """
    questions = {question.id: question for question in parameters.questions}
    people = responses - sum(source.people for source in others)
    own = Source(parameters.devices, tallies, digest=digest, people=people, waiting=waiting or {})
    sources = [own, *others]
    together = together or Together(sources, LeftOut(people=0, withheld=False))
    tables, recodings = all_table_results(questions, together.sources, parameters)
    return result_types().results(
        format=FORMAT,
        survey=parameters.survey,
        version=parameters.version,
        wave=parameters.wave,
        digest=digest,
        responses=responses,
        level=LEVELS[0],
        linkage=parameters.linkage,
        population=parameters.population,
        release_threshold=parameters.release_threshold,
        epsilon=Epsilons(declared=parameters.epsilon, spent=text_of(spent(parameters.devices))),
        delta=text_of(spent_delta(parameters.devices)),
        sources=tuple(map(_source, sources)),
        engine=rr_engine.__version__,
        questions=tuple(
            _with_features(
                _question(question, parameters, sources, (candidates or {}).get(question.id, ())),
                question,
                parameters,
                sources,
            )
            for question in questions.values()
        ),
        left_out=together.left_out,
        tables=tuple(with_left_out(table, together.left_out) for table in tables),
        recodings=recodings,
        joint=all_joint_results(questions, sources, parameters),
    )


def _source(source: Source) -> SourceOfReports:
    return SourceOfReports(
        source=source.name,
        digest=source.digest,
        epsilon=text_of(spent(source.devices)),
        responses=source.people,
    )


def _question(
    question: Question,
    parameters: Parameters,
    sources: Sequence[Source],
    candidates: Sequence[str],
) -> QuestionResults:
    strata, directly = strata_of(question, *sources), direct_strata(question, *sources)
    threshold = parameters.release_threshold
    released = released_strata(strata, threshold)
    devices = [device_input.device for stratum in strata for device_input in stratum.inputs]
    margins = {
        (name, device.stratum) for device in joint_of(parameters) for name in device.questions
    }
    suppressed = sum(stratum.n for stratum in strata if stratum not in released)
    facts = result_types().question(
        id=question.id,
        text=whole_text(question, parameters),
        kind=question.kind,
        randomized=question.randomized,
        labels=question.categories,
        joint_device=_joint_device_of(question, parameters),
        epsilon=text_of(spent(devices)) if question.randomized else None,
        delta=text_of(spent_delta(devices)),
        n=sum(stratum.n for stratum in released),
        suppressed=suppressed,
        devices=tuple(
            _device(stratum, used, shown=shown, margin=(question.id, stratum.name) in margins)
            for stratum in (*strata, *directly)
            for shown in [_is_shown(stratum, [*released, *released_strata(directly, threshold)])]
            for used in stratum.inputs
        ),
        certificate=None,
        notes=(QuestionResults.few if suppressed else "no_reports",),
    )
    if not released:
        return replace(facts, certificate=certificate_of(question, devices, None))
    answered = Answered(question, released, parameters.population, candidates, parameters.members)
    found = KINDS[question.kind].estimates(facts, answered)
    if suppressed:
        found = replace(found, notes=tuple(sorted([*found.notes, "stratum_suppressed"])))
    shares = [row.maximum_likelihood for row in found.categories]
    known = [share for share in shares if share is not None]
    likeliest = known if len(known) == len(shares) else None
    return replace(found, certificate=certificate_of(question, devices, likeliest))


def _with_features(
    found: QuestionResults, question: Question, parameters: Parameters, sources: Sequence[Source]
) -> QuestionResults:
    """The results of a question, with what features found."""
    for feature in FEATURES.values():
        found = feature.results.of_question(found, question, parameters, sources)
    return found


def _joint_device_of(question: Question, parameters: Parameters) -> str | None:
    """Return the device that a question shares with others; None of a question alone."""
    ids = (device.id for device in joint_of_all(parameters) if question.id in device.questions)
    return next(ids, None)


def _is_shown(stratum: Stratum, released: Sequence[Stratum]) -> bool:
    """Whether the counts of a stratum are shown: those of a suppressed one are left out."""
    return stratum in released or not any(used.counts.any() for used in stratum.inputs)


def _device(stratum: Stratum, used: Input, *, shown: bool, margin: bool) -> UsedDevice:
    device = used.device
    return UsedDevice(
        id=device.id,
        option=device.option,
        family=device.family,
        epsilon=device.epsilon,
        delta=device.delta,
        table=device.table,
        shows=shown_by(device),
        source=stratum.source,
        stratum=stratum.name,
        n=used.n,
        counts=_counts(used) if shown else None,
        margin=margin,
    )


def _counts(used: Input) -> tuple[int, ...]:
    """How often each report came in; of ties nothing, as each bit is about one person."""
    return () if used.rows is not None else tuple(used.counts.tolist())
