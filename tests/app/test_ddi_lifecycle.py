"""DDI Lifecycle and Codebook of surveys of every sort are valid by the published schemas, and
another reader finds in Lifecycle what the parameters and the files say.
"""

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest
from lxml import etree

from surveys.exports.document import exported_devices
from surveys.exports.formats import csv as csv_format
from surveys.exports.metadata import ddi
from surveys.exports.metadata.lifecycle import instance
from surveys.exports.metadata.lifecycle.items import NAMESPACES
from surveys.exports.metadata.study import DataFile, study_of
from surveys.exports.registry import export_of
from surveys.exports.tables import reports
from surveys.parameters import columns_of
from surveys.results.release import release_of
from tests.app.consistency import surveys as consistent
from tests.app.ddi_schemas import codebook_errors, lifecycle_errors, read_by_ddi_l
from tests.files import content_of
from tests.released import QUESTIONS, released, varied
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def listed(name):
    return lambda: FEATURES[name]()[-1]


SURVEYS = {
    "kinds": lambda: consistent.kinds(60, 0.4),
    "kinds, apart": lambda: consistent.kinds(60, 0.4, linkage="apart", cross_tables=[]),
    "waves": consistent.in_waves,
    **{
        name: listed(name)
        for name in (
            *("arms, all sorts of questions", "pilot", "filters", "a group", "tiers"),
            *("texts", "rankings", "network", "demo of a questionnaire"),
        )
    },
}
XML = "{http://www.w3.org/XML/1998/namespace}lang"


def describe(launch):
    """A study and its reports as a file, in both standards."""
    study = study_of(release_of(launch))
    content = content_of(export_of(reports.NAME), csv_format.FORMAT, launch)
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    columns = tuple(variable.column for variable in study.variables)
    about = {"path": "data/reports.csv", "label": "Reports", "size": len(content), "sha256": "ab"}
    file = DataFile(**about, columns=columns, rows=len(rows))
    lifecycle = instance.lifecycle(study, [file], [], "1")
    assert lifecycle == instance.lifecycle(study_of(release_of(launch)), [file], [], "1")
    return study, rows, lifecycle, ddi.codebook(study, [file], [], "1")


@pytest.mark.parametrize("name", SURVEYS)
def test_a_study_is_valid_and_read_as_what_it_is(name, tmp_path):
    launch = SURVEYS[name]()
    study, rows, lifecycle, codebook = describe(launch)
    assert lifecycle_errors(lifecycle) == []
    assert codebook_errors(codebook) == []
    document = read_back(lifecycle, tmp_path)
    assert [finding.message for finding in document.lint()] == []
    root = etree.fromstring(lifecycle)
    assert_questions(document, study)
    assert_answers(document, study, root)
    assert_variables(document, study, root)
    assert_statistics(study, rows, root)
    assert_devices(launch, root)


def read_back(content, folder):
    path = folder / instance.PATH
    path.write_bytes(content)
    return read_by_ddi_l(path)


def in_words(texts):
    return {text.lang: text.text for text in texts}


def assert_questions(document, study):
    asked = [each.question.id for each in study.questions]
    names = [name_of(question.to_xml(), "d:QuestionItemName") for question in document.questions]
    assert names == asked
    for question, expected in zip(document.questions, study.questions, strict=True):
        assert in_words(question.question_texts) == dict(expected.texts)


def assert_answers(document, study, root):
    """What could be answered: ranges, lengths, and every listed answer in every language."""
    lists = lists_of(document)
    missing = {
        each.findtext("{*}ID")
        for each in root.iter(f"{{{NAMESPACES['l']}}}Category")
        if each.get("isMissing")
    }
    items = root.iter(f"{{{NAMESPACES['d']}}}QuestionItem")
    for item, expected in zip(items, study.questions, strict=True):
        question, answers = expected.question, [dict(each) for each in expected.answers]
        count = len(answers) - question.other_count
        if question.scale is not None:
            ends = (item.findtext(f".//{{*}}NumberRange/{{*}}{end}") for end in ("Low", "High"))
            assert tuple(ends) == (question.scale.lower, question.scale.upper)
        if question.characters is not None:
            assert item.find(".//{*}TextDomain").get("maxLength") == str(question.characters)
        is_typed = question.scale is not None or question.characters is not None
        first = count if is_typed else 0
        listed = item.findtext(".//{*}CodeDomain/{*}CodeListReference/{*}ID")
        found = lists.get(listed, {})
        numbered = {str(number): answers[number] for number in range(first, len(answers))}
        assert {code: labels for code, (_id, labels) in found.items()} == numbered
        refused = {code for code, (category, _labels) in found.items() if category in missing}
        assert refused == {str(number) for number in range(count, len(answers))}


def lists_of(document):
    """Of each list of codes by its id: by code the id of its category, and what it means."""
    from ddi_l.models.logicalproduct import Category

    meanings = {each.identifier: in_words(each.labels) for each in document.items(Category)}
    return {
        each.identifier: {
            code.value: (code.category.identifier, meanings[code.category.identifier])
            for code in each.codes
        }
        for each in document.code_lists
    }


def name_of(element, tag):
    return element.findtext(f"{{*}}{tag.partition(':')[2]}/{{*}}String")


def assert_variables(document, study, root):
    """Names, labels, and what each code means, a missing one as well, are those of the columns."""
    lists = {
        name: {code: labels for code, (_id, labels) in codes.items()}
        for name, codes in lists_of(document).items()
    }
    variables = document.variables
    assert len(variables) == len(study.variables)
    for own, described in zip(variables, study.variables, strict=True):
        column, language = described.column, study.language
        assert in_words(own.names) == {language: column.name}
        assert in_words(own.labels) == {language: column.label, **column.labels}
        represented = own.variable_representation
        codes = represented.code_representation
        found = lists[codes.code_list_reference.identifier] if codes else {}
        missing = {value.code for value in column.missing}
        valid = [value for value in column.values if value.code not in missing]
        assert found == of_values(valid, language)
        reasons = represented.missing_values_reference
        told = reasons_in(root, reasons.identifier, lists) if reasons else {}
        assert told == of_values(column.missing, language)


def of_values(values, language):
    return {
        "" if value.code is None else str(value.code): {language: value.label, **value.labels}
        for value in values
    }


def reasons_in(root, identifier, lists):
    """Reasons by code, of the empty cell under an empty text."""
    (own,) = [
        each
        for each in root.iter(f"{{{NAMESPACES['r']}}}ManagedMissingValuesRepresentation")
        if each.findtext("{*}ID") == identifier
    ]
    empty = {each.get(XML): each.text for each in own.iterfind("{*}Description/{*}Content")}
    assert own.get("isBlankMissingValue") == ("true" if empty else "false")
    listed = own.find("{*}MissingCodeRepresentation/{*}CodeListReference/{*}ID")
    told = {} if listed is None else lists[listed.text]
    return {**({"": empty} if empty else {}), **told}


def assert_statistics(study, rows, root):
    """Each count is how often the code stands in the file; there are counts of every code."""
    names = {
        each.findtext("{*}ID"): name_of(each, "l:VariableName")
        for each in root.iter(f"{{{NAMESPACES['l']}}}Variable")
    }
    found = {}
    for each in root.iter(f"{{{NAMESPACES['pi']}}}VariableStatistics"):
        name = names[each.findtext("{*}VariableReference/{*}ID")]
        found[name] = {
            category.findtext("{*}CategoryValue/{*}Value"): int(
                category.findtext("{*}CategoryStatistic/{*}Statistic")
            )
            for category in each.iter("{*}VariableCategory")
        }
        assert sum(found[name].values()) == int(each.findtext("{*}TotalResponses"))
    for name, counts in found.items():
        cells = Counter(row[name] for row in rows if row[name] and not row[name].startswith("-"))
        assert Counter(counts) == cells
    alone = {each.column.name for each in study.variables if each.counts}
    assert alone == found.keys()
    (quantity,) = [each.text for each in root.iter("{*}CaseQuantity")]
    assert int(quantity) == len(rows)


def assert_devices(launch, root):
    """The exact table of every device whose reports the file may have, and of no other."""
    told = [each.text for each in root.iter("{*}CommandContent")]
    for device in exported_devices(launch.parameters_at(0)):
        entries = {
            str(entry)
            for column in (columns_of(device.table) if hasattr(device.table, "columns") else ())
            for entry in column
        }
        of_device = [
            text
            for text in told
            if f'"id":"{device.id}"' in text and f'"stratum":"{device.stratum}"' in text
        ]
        assert bool(of_device) is not device.asked_directly
        assert all(any(entry in text for text in of_device) for entry in entries if of_device)


def few(**values):
    """A small survey with results."""
    return released(varied(40), **{"questions": QUESTIONS, "linkage": "together", **values})


def test_answers_that_are_codes_are_counted():
    study = study_of(release_of(few()))
    counted = {each.column.name: sum(each.counts) for each in study.variables if each.counts}
    # All but those who left a question out.
    assert max(counted.values()) == 40
    assert len(counted) == len(QUESTIONS)


def test_an_item_keeps_its_id_from_release_to_release_and_changes_its_version():
    study = study_of(release_of(few()))
    ids, versions = [], []
    for responses in (study.responses, study.responses + 20):
        content = instance.lifecycle(replace(study, responses=responses), [], [], "1")
        found = [*etree.fromstring(content).iter(f"{{{NAMESPACES['l']}}}Variable")]
        ids.append([each.findtext("{*}ID") for each in found])
        versions.append({each.findtext("{*}Version") for each in found})
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == len(ids[0])
    assert versions == [{"1.1.40"}, {"1.1.60"}]


def test_what_breaks_either_schema_is_noticed():
    _study, _rows, lifecycle, codebook = describe(few())
    broken = lifecycle.replace(b"<r:Value>", b"<r:Amount>").replace(b"</r:Value>", b"</r:Amount>")
    assert any("Amount" in error for error in lifecycle_errors(broken))
    broken = codebook.replace(b"<caseQnty>", b"<cases>").replace(b"</caseQnty>", b"</cases>")
    assert any("cases" in error for error in codebook_errors(broken))


HOSTILE = '<&"\x0b]]>'


def test_an_authors_signs_break_no_description(tmp_path):
    questions = [{**each, "text": f"{each.get('text', 'Ever?')} {HOSTILE}"} for each in QUESTIONS]
    launch = few(questions=questions, title=f"A {HOSTILE}")
    _study, _rows, lifecycle, codebook = describe(launch)
    assert lifecycle_errors(lifecycle) == []
    assert codebook_errors(codebook) == []
    document = read_back(lifecycle, tmp_path)
    assert all("]]>" in text.text for each in document.questions for text in each.question_texts)
