"""Shares of the candidates of a text question, and what they leave unexplained."""

import hashlib
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

import rr_engine
from surveys.kinds.estimates import LEVELS, ends, number, share_of
from surveys.kinds.estimation_inputs import Answered
from surveys.parameters import Bloom, Device, canonical_json
from surveys.results_document.kinds import Candidate, CandidateList, Texts, Unlisted
from surveys.results_document.parts import Notes

# At most this share of the candidates that are called found does not occur, on average.
FALSE_DISCOVERY_RATE = 0.05


def bloom_of(device: Device) -> Bloom:
    """The table of a device for texts; TypeError for any other."""
    if not isinstance(device.table, Bloom):
        raise TypeError(f"the reports of a {type(device.table).__name__} are no Bloom filters")
    return device.table


def rappor_of(table: Bloom) -> rr_engine.rappor.Rappor:
    """The engine's device, whose two entries sum to the denominator."""
    precision = table.denominator.bit_length() - 1
    replaced = Fraction(2 * table.zero, table.denominator)
    return rr_engine.rappor.Rappor(table.bits, table.hashes, table.cohorts, replaced, precision)


def text_estimates(answered: Answered) -> tuple[Texts, Notes]:
    """The shares, and the codes of notes. All strata have the same device: reports are sent again.

    A refusal is on every list, and its share the last.
    """
    question, candidates, strata = answered.question, answered.candidates, answered.strata
    table = bloom_of(strata[0].inputs[0].device)
    refusal = question.categories[-1] if question.prefer_not else None
    listed = CandidateList(size=len(candidates), digest=list_digest(candidates))
    if not candidates and refusal is None:
        return Texts(list=listed, candidates=(), unlisted=None), ("no_candidates",)
    counts = sum(stratum.inputs[0].counts for stratum in strata)
    tallies = np.reshape(counts, (table.cohorts, table.bits, 2))
    found = rr_engine.rappor.decode_strings(
        rappor_of(table), list(tallies), list(candidates), FALSE_DISCOVERY_RATE, refusal=refusal
    )
    notes = {note.code for note in found.notes} | ({"no_candidates"} if not candidates else set())
    if answered.population == "fixed":
        # The errors are those of a sample of a larger population, the larger ones.
        notes.add("texts_of_a_sample")
    texts = Texts(
        list=listed,
        candidates=tuple(_rows(found)),
        unlisted=Unlisted(
            estimate=number(found.unexplained),
            standard_error=number(found.explained_standard_error),
        ),
        false_discovery_rate=FALSE_DISCOVERY_RATE,
        dispersion=number(found.dispersion),
    )
    return texts, tuple(sorted(notes))


def list_digest(candidates: Sequence[str]) -> str:
    """The SHA-256 of a list as canonical JSON, by which results name the list they rest on."""
    return f"sha256:{hashlib.sha256(canonical_json(list(candidates))).hexdigest()}"


def _rows(found: rr_engine.rappor.StringEstimates) -> list[Candidate]:
    wide, narrow = (found.interval(level) for level in LEVELS)
    return [
        Candidate(
            label=label,
            **share_of(found.unbiased[index], float(found.standard_errors[index]), wide[index]),
            bounded=number(found.shares[index]),
            interval_50=ends(narrow[index]),
            p_value=number(found.p_values[index]),
            found=bool(found.found[index]),
        )
        for index, label in enumerate(found.candidates)
    ]
