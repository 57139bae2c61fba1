"""Labels in files: one text everywhere, and nothing that a spreadsheet would compute.

After public reports of columns that clash (onaio/onadata#1216), of CSV files that open garbled
(getodk/central-backend#792), and of titles that run as formulas (SandeepVashishtha/Eventra#16675).
"""

import csv
import io
import json
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys import spreadsheets
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.reading.typed_tables import rows_of
from surveys.exceptions import NotReadyError
from surveys.exports.registry import all_exports
from surveys.exports.tables import codes, questions
from surveys.services.candidates import change_candidates
from surveys.services.launches import launch_survey
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.app.test_short_text import text_launch
from tests.browser.respondent import WHOLE
from tests.builders import launched, make_survey, owner
from tests.released import released
from tests.rosters import TIES, roster_rows
from tests.waves import CODED

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ORDINARY = ["-5 to 0", "-10 bis -5", "@home", "-5", "+1", "++", "-", "- none", "−5 to 0", "Ä ؟"]
FORMULAS = [
    "=2+2",
    "=HYPERLINK(1)",
    " =1",
    "＝1+1",
    "+1+1",
    "-2+3",
    "-3 -5",
    "-A1",
    "+B2:B9",
    "@SUM(A1)",
    "@SUM (A1)",
    "+cmd|' /c calc'!A0",
    "-1-cmd('x')",
    "\t=1",
]


# --- what is a formula --------------------------------------------------------------------------


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_texts_compute_nothing(text):
    assert not spreadsheets.is_formula(text)
    assert not spreadsheets.is_formula(f"{text} | Tea")


@pytest.mark.parametrize("text", FORMULAS)
def test_what_would_be_computed_is_seen(text):
    assert spreadsheets.is_formula(text)


@pytest.mark.parametrize("text", [*ORDINARY, *FORMULAS, "plain", "'quoted'", ""])
def test_the_guard_of_a_cell_is_taken_off_where_the_file_comes_back(text):
    assert spreadsheets.unguarded(spreadsheets.guarded(text)) == text
    assert not spreadsheets.guarded(text).startswith(spreadsheets.BEGINNINGS)


def test_a_table_that_was_made_for_a_spreadsheet_is_read_as_it_was_written():
    (header, row) = rows_of("\ufeffquestion;answer\r\nage;'-5 to 0\r\n")
    assert (header[1], row[1]) == (["question", "answer"], ["age", "-5 to 0"])


# --- texts of a draft ---------------------------------------------------------------------------


def findings_of(**values):
    found = lint_survey(make_survey(planned_n=5_000, **values))
    return {finding.code: finding for finding in found if finding.blocks}


def choice(*options, **values):
    return {"kind": "single_choice", "text": "Where?", "options": list(options), **values}


@pytest.mark.parametrize(
    "question",
    [
        choice("=2+2", "Home"),
        {"text": "=HYPERLINK(1)"},
        {**WHOLE, "options": ["-5 to 0", "Tea (green)"]},
    ],
    ids=["an option", "a question", "two answers together"],
)
def test_no_text_is_launched_that_a_spreadsheet_would_compute(question):
    finding = findings_of(questions=[question])["formula"]
    assert "begins like a formula" in finding.message
    with pytest.raises(NotReadyError):
        launch_survey(survey=owner().surveys.get(), actor=None)


def test_neither_do_the_answers_of_a_group_become_a_formula_together():
    group = {"group": 1, "epsilon": Decimal("1.3")}
    asked = [choice("-5 to 0", "More", **group), choice("Tea", "x!A0", **group)]
    assert "formula" in findings_of(questions=asked)


def test_a_list_of_candidates_has_none_either():
    launch = text_launch()
    with pytest.raises(NotReadyError) as refused:
        change_candidates(
            survey=launch.survey, question="drug", texts=["=1+1", "tea"], actor=owner()
        )
    assert "=1+1" in str(refused.value)


def files_of(client, launch):
    """The text of every CSV and JSON file with words of the author."""
    names = [f"{export.name}-csv" for export in all_exports() if export.exists(launch.parameters)]
    texts = {}
    for name in (*names, "results-json", "results-parameters"):
        answer = client.get(reverse(name, args=[launch.survey.slug]))
        content = answer.getvalue() if answer.streaming else answer.content
        if answer.status_code == 200:
            texts[name] = content.decode()
    return texts


def test_a_label_is_one_text_in_all_files_and_no_cell_is_computed(client):
    labels = ["+1", "-5 to 0", "@home", "Ärger", "نعم"]
    launch = released(
        [{"q1": number % 5} for number in range(30)],
        questions=[choice(*labels, text="- Where?", randomized=False)],
        results_public=True,
    )
    client.force_login(launch.survey.owner)
    texts = files_of(client, launch)
    tables = {
        name.removesuffix("-csv"): list(csv.DictReader(io.StringIO(text)))
        for name, text in texts.items()
        if name.endswith("-csv")
    }
    assert [row["answer"] for row in tables["estimates"]] == labels
    assert [row["answer"] for row in tables["questions"]] == labels
    assert [row["shows"] for row in tables["codebook"]] == labels
    published = json.loads(texts["results-json"])["questions"][0]
    assert [row["label"] for row in published["categories"]] == labels
    frozen = json.loads(texts["results-parameters"])["questions"][0]
    assert (frozen["categories"], frozen["text"]) == (labels, "- Where?")
    cells = [cell for rows in tables.values() for row in rows for cell in row.values()]
    assert not [cell for cell in cells if spreadsheets.is_formula(cell)]


def test_files_for_programs_have_no_byte_order_mark_and_those_for_a_spreadsheet_have_one(client):
    launch = released([{"q1": 1}] * 6, results_public=True)
    client.force_login(launch.survey.owner)
    for name, text in files_of(client, launch).items():
        assert not text.startswith("\ufeff"), name
    guide = (DOCS / "guide" / "researchers.md").read_text(encoding="utf-8")
    assert "byte order mark" in guide


# --- names of columns ---------------------------------------------------------------------------

TEXT = {
    "name": "drug",
    "kind": "short_text",
    "design": "rappor",
    "text": "Which?",
    "epsilon": Decimal(4),
    "candidates": ["Tea"],
}
ROSTER = {
    "mode": "personal",
    "linkage": "together",
    "roster": roster_rows(40),
    "questions": [TIES[0]],
}
CLASHES = {
    "the wave of a survey with return codes": ("wave", {**CODED}),
    "and what it has revealed": ("epsilon", {**CODED}),
    "the member of a roster": ("member", {**ROSTER}),
    "the number of a made-up person": ("synthetic_person", {}),
    "the report of random pairs": ("pair", {"pilot": True}),
    "the cohort of a short text": ("drug_cohort", {"linkage": "together", "questions": [TEXT]}),
}


@pytest.mark.parametrize("case", CLASHES)
def test_a_question_called_like_a_column_is_refused_by_name(case):
    name, values = CLASHES[case]
    others = [{"text": "Ever stolen?"}, {"text": "Ever lied?"}] if "pilot" in values else []
    asked = [*values.get("questions", []), {"name": name}, *others]
    findings = findings_of(**{**values, "questions": asked, "budget": Decimal(7)})
    assert list(findings) == ["same_column"], findings
    finding = findings["same_column"]
    assert (finding.question, f"“{name}”" in finding.message) == (name, True)
    assert ".csv" in finding.message


def test_a_name_is_reserved_only_where_a_file_has_such_a_column():
    names = ["wave", "epsilon", "member", "pair", "variable", "stratum", "code", "question"]
    asked = [{"name": name} for name in names]
    for linkage in ("together", "apart"):
        values = {"questions": asked, "budget": Decimal(8), "linkage": linkage, "slug": linkage}
        assert findings_of(**values) == {}


def test_the_guides_program_reads_a_question_that_is_called_like_a_column(client, tmp_path):
    """After onaio/onadata#1216: n 60 and the shares of the page, with a question called wave."""
    asked = [{"name": "wave"}, {"name": "q2"}, {"name": "stratum"}]
    rows = [
        {"wave": number % 5 > 1, "q2": number % 3 > 0, "stratum": number % 2}
        for number in range(60)
    ]
    rows = [{name: int(code) for name, code in row.items()} for row in rows]
    launch = released(rows, questions=asked, linkage="together", results_public=True)
    client.force_login(launch.survey.owner)
    texts = files_of(client, launch)
    for name, file in (("parameters.json", "results-parameters"), ("reports.csv", "reports-csv")):
        (tmp_path / name).write_text(texts[file], encoding="utf-8", newline="")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python recompute")
    printed = run_python(program, tmp_path / "parameters.json", tmp_path / "reports.csv")
    recomputed = {line["id"]: line for line in map(json.loads, printed.splitlines())}
    for question in json.loads(texts["results-json"])["questions"]:
        same = recomputed[question["id"]]
        assert same["n"] == question["n"] == 60
        assert same["estimate"] == [row["estimate"] for row in question["categories"]]


def test_columns_that_are_reserved_are_those_that_the_files_have():
    """Names without an author's question in them, over all modes."""
    launch = launched(questions=[{"name": "drug"}], **CODED)
    assert [column.name for column in codes.columns_of(launch.parameters)][:3] == [
        "variable",
        "wave",
        "stratum",
    ]
    header = [column.name for column in questions.table(launch).columns]
    about = ["question", "text", "section", "kind", "sensitive", "required", "question_epsilon"]
    of_answer = ["answer", "refusal", "not_applicable", "bin_from", "bin_to", "population_share"]
    assert header == [*about, "unit", "lowest", "highest", "step", *of_answer]
