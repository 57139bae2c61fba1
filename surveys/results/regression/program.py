"""A fitted analysis as a program of its own: the parameters and the reports give its numbers."""

import re
from collections.abc import Mapping
from pprint import pformat
from typing import Any

from surveys.models import Launch
from surveys.results_document.fits import Coefficient, FitResults

WIDTH = 90
_TEMPLATE = '''"""The analysis {name} of {slug}.

Save this file, and run: python {file} {files}
These files are among the downloads of the results. It needs Python, numpy and rr_engine {engine}.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import rr_engine

OUTCOME = {outcome}
# The answers, by their numbers from 0, that make up each category of the outcome.
CATEGORIES = {categories}
LINK = {link}
# Of a direct question the answers of each level, and what they count if it is a number.
DIRECT = {direct}
# Of a randomized question the scores of its answers, or None for an indicator of each.
RANDOMIZED = {randomized}
# The shares that people are weighted to.
MARGINS = {margins}
NAMES = {names}

if len(sys.argv) < 3:
    sys.exit(__doc__)
names = [sys.argv[1], *sys.argv[3:]]
documents = [json.loads(Path(name).read_text(encoding="utf-8")) for name in names]
# The parameters of each wave: people who answered an earlier one last used its devices.
waves = {{document["wave"]: document for document in documents}}
with Path(sys.argv[2]).open(encoding="utf-8", newline="") as file:
    people = list(csv.DictReader(file))


def wave_of(person):
    return int(person.get("wave") or documents[0]["wave"])


missing = sorted(set(map(wave_of, people)) - set(waves))
if missing:
    sys.exit(f"Name the parameters of wave {{missing[0]}} after the reports: they have its people.")


def tables_of(question):
    """The wave, the stratum and the device of each table that a question was asked with."""
    asked = [(wave, device) for wave, document in waves.items() for device in document["devices"]]
    for wave, device in asked:
        if question not in device["questions"]:
            continue
        table = device["table"]
        size = len(table.get("reports", []))
        if table["form"] == "joint":
            shape = [len(reports) for reports in table["parts"]]
            whole = rr_engine.channels.JointChannel(shape, table["weights"], table["denominator"])
            table = whole.margin([device["questions"].index(question)])
            kept, other, bottom, size = table.kept, table.other, table.denominator, table.tally_size
            rows = np.where(np.eye(size, dtype=bool), kept, other)
        elif table["form"] == "uniform":
            bottom = table["denominator"]
            rows = np.where(np.eye(size, dtype=bool), table["kept"], table["other"])
        else:
            bottom, rows = table["denominator"], list(zip(*table["columns"]))
        yield (wave, device["stratum"]), rr_engine.DesignMatrix.from_integers(rows, bottom)


def reports_of(question):
    """The devices of a question, and of each person the device and the report; -1 is none."""
    strata, designs = zip(*tables_of(question))
    which, codes = [], []
    for person in people:
        code = int(person.get(question) or -1)  # empty or less than 0: no report
        own = [stratum for wave, stratum in strata if wave == wave_of(person)]
        stratum = person[question + ".stratum"] if len(own) > 1 else own[0]
        codes.append(code)
        which.append(strata.index((wave_of(person), stratum)) if code >= 0 else 0)
    return designs, np.array(which), np.array(codes)


def levels_of(codes, groups):
    """The number of the group that each answer is in; -1 stays."""
    level = {{code: number for number, group in enumerate(groups) for code in group}}
    return np.array([level.get(code, -1) for code in codes.tolist()])


def columns_of(question, groups, scores):
    """The columns of a direct question; those who left it out have one of their own."""
    _designs, _which, codes = reports_of(question)
    missing = codes < 0
    levels = np.where(missing, len(groups), levels_of(codes, groups))
    indicators = np.eye(len(groups) + 1)[levels][:, : len(groups) + int(missing.any())]
    if scores is None:
        return indicators[:, 1:]
    number = np.array([*scores, np.mean(scores)])[levels]
    return np.column_stack([number, indicators[:, len(groups) :]])


def is_in(person):
    """Whether somebody is in the analysis: there is a report to the outcome, and the release has
    not left this person out of all that is about several answers together."""
    return int(person[OUTCOME] or -1) >= 0 and person["in.tables"] == "1"


people = [person for person in people if is_in(person)]
designs, which, codes = reports_of(OUTCOME)
if CATEGORIES != [[code] for code in range(designs[0].truth_size)]:
    designs = [design.coarsened(CATEGORIES, CATEGORIES) for design in designs]
    codes = levels_of(codes, CATEGORIES)
blocks = [columns_of(*question) for question in DIRECT]
X = np.column_stack(blocks) if blocks else np.empty((len(people), 0))
sample = None
if MARGINS:
    answers = [levels_of(reports_of(name)[2], groups) for name, groups, _shares in MARGINS]
    shares = [shares for _name, _groups, shares in MARGINS]
    sample = rr_engine.sampling.rake(rr_engine.SurveySample(n=len(people)), answers, shares)

if RANDOMIZED:
    predictors = []
    for name, _scores in RANDOMIZED:
        own, of_each, sent = reports_of(name)
        predictors.append(rr_engine.models.ReportLikelihoods(own, sent, of_each))
    fit = rr_engine.RRRegression(LINK).fit(
        rr_engine.models.ReportLikelihoods(designs, codes, which),
        X,
        predictors,
        scores=[scores for _name, scores in RANDOMIZED],
        sample=sample,
    )
else:
    fit = rr_engine.RRLogit(designs, LINK).fit(X, codes, which=which, sample=sample)

estimates = zip(NAMES, fit.params.ravel(), fit.standard_errors.ravel())
for name, estimate, error in estimates:
    print(json.dumps({{"name": name, "estimate": estimate, "standard_error": error}}))
'''


def files_of(wave: int, folder: str = "") -> str:
    """Return the files that a program of this wave reads, as they are named in a bundle."""
    earlier = [f"parameters-wave-{number}.json" for number in range(1, wave)]
    return " ".join(folder + name for name in ("parameters.json", "reports.csv", *earlier))


def analysis_program(
    content: FitResults, specification: Mapping[str, Any], launch: Launch, number: int
) -> str:
    """The program's text; of what people have written it has literals only."""
    reading = content.reading
    return _TEMPLATE.format(
        name=_plain(specification["name"]),
        slug=launch.survey.slug,
        file=f"analysis-{number}.py",
        files=files_of(launch.wave),
        engine=content.engine,
        outcome=_literal(content.outcome.id),
        categories=_literal(reading.categories),
        link=_literal(content.link),
        direct=_literal(reading.direct),
        randomized=_literal(reading.randomized),
        margins=_literal(reading.margins),
        names=_literal([_name(row) for row in content.coefficients]),
    )


def _name(row: Coefficient) -> str:
    return f"{row.category}: {row.name}" if row.category else row.name


def _literal(value: Any) -> str:
    return pformat(value, width=WIDTH, sort_dicts=False)


def _plain(text: str) -> str:
    """The text between single quotes, without a sign that could end or escape the docstring."""
    return "'" + re.sub(r'[\\"\x00-\x1f]', "'", text) + "'"
