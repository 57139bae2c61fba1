"""The sentences that can be quoted, over results that chance made.

They are true of the numbers that they quote, short, and the same in two languages. `make sentences`
puts them on the page of all sentences, to be read.
"""

import json
import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from django.utils import translation

from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.questions import question_finding
from surveys.results.findings.tables import joint_finding, table_finding
from surveys.results.joint_questions.presentation import noise_words
from surveys.results_document.document import plain
from tests.app.consistency.quantities import quantities, weighted_quantities
from tests.app.consistency.random_results import SEED, SORTS
from tests.app.consistency.sentences import table_untruths, untruths

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

LANGUAGES = ("en", "de")
# Without the words of the author; on a scale its two ends are named as well.
MOST_WORDS, OF_SCALES = 20, 5
LEAST_RESULTS = 8
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
QUOTED = re.compile("[“„][^“”„]*[“”]")
# What no sentence has: a value that is none, a gap, a singular that is a plural, a number below 0.
NEVER = re.compile(
    r"None|\bnan\b|\binf\b|%\(|[“„][”“]|–|−|\b(?:about|etwa|Etwa|About) 1 (?:of|von) "
)
ENGLISH = re.compile(r"\b(?:of|answered|the|anything|fits|mean|from)\b")


@pytest.mark.parametrize("sort", SORTS)
def test_every_finding_is_true_short_and_the_same_in_both_languages(sort):
    problems, said = [], []
    for found in SORTS[sort](random.Random(f"{SEED} {sort}")):
        for about, both in sentences_of(found):
            said.append(both)
            problems += [(both, each) for each in [*about(both[0]), *flaws_of(*both)]]
    keep(sort, said)
    assert problems == []
    assert len(said) >= LEAST_RESULTS


def sentences_of(found):
    """Yield each finding's check, and its sentences in English and in German."""
    content, content_of_weights = plain(found.results), {}
    known = quantities(content)
    choices = [(NOTHING_CHOSEN, known, {}, {})]
    if found.weighted:
        content_of_weights = weighted_quantities(plain(found.weighted), content)
        own = found.weighted.questions, found.weighted.tables
        choices.append((Choice(has_weights=True), known | content_of_weights, *own))
    questions = {question.id: question for question in found.results.questions}
    for choice, numbers, of_questions, of_tables in choices:
        for name, question in questions.items():
            weighted = of_questions.get(name)
            both = in_both(question_finding, question, found.parameters, choice, weighted)
            yield lambda text, name=name, of=numbers: untruths(" ".join(text), of, name), both
        for table in found.results.all_tables:
            both = in_both(table_finding, table, questions, choice, of_tables.get(table.id))
            name = table.id.replace(",", "-by-")
            yield lambda text, name=name, of=numbers: table_untruths(text, of, name), both
    for joint in found.results.joint:
        if joint.cells:
            yield (
                lambda _text: (),
                in_both(lambda each: joint_finding(each, noise_words(each)), joint),
            )


def in_both(finding, *about):
    said = []
    for language in LANGUAGES:
        with translation.override(language):
            said.append(tuple(finding(*about).sentences))
    return tuple(said)


def flaws_of(english, german):
    """Return what is wrong with how something is said."""
    for text in (*english, *german):
        words = len(QUOTED.sub("X", text).replace("\u00a0", " ").split())
        is_score = "mean score" in " ".join(english)
        if words > MOST_WORDS + OF_SCALES * is_score:
            yield f"{words} words: {text}"
        if NEVER.search(text):
            yield f"never: {text}"
    if any(ENGLISH.search(QUOTED.sub("X", text)) for text in german):
        yield "English in German"
    if numbers_in(english, ",", ".") != numbers_in(german, ".", ","):
        yield "other numbers in German"


def numbers_in(texts, thousands, decimal):
    found = NUMBER.findall(" ".join(texts))
    return Counter(float(each.replace(thousands, "").replace(decimal, ".")) for each in found)


def keep(sort, said):
    """Leave the sentences to `make sentences`, as the walks through the respondents' pages do."""
    folder = os.environ.get("SENTENCES_FOLDER")
    if not folder:
        return
    stops = {}
    for both in said:
        for language, texts in zip(LANGUAGES, both, strict=True):
            stops[" ".join(texts)] = [f"results, {language}"]
    walk = json.dumps({"name": sort, "stops": stops})
    (Path(folder) / f"results-{sort.replace(' ', '-')}.json").write_text(walk, encoding="utf-8")
