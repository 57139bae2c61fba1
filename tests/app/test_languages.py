"""A survey in several languages: what is stored, frozen, served, read from files and shown."""

import csv
import re
from functools import partial
from html import escape
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from config.group_files import grouped_files
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.reading.typed_tables import UnreadTableError
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.exports.languages import in_every_language
from surveys.exports.tables import questions
from surveys.features.languages.changes import add_language, publish_language, write_texts
from surveys.features.languages.exchange import FILES, NAMESPACE
from surveys.features.languages.reading import State
from surveys.features.languages.settings import Translated
from surveys.models import Submission, Survey
from surveys.parameters import digest_of, in_language, missing_of, read, texts_by_path
from surveys.parameters.canonical import digest_of_json
from surveys.services.definitions import clone_survey, import_definition
from surveys.services.launches import launch_survey
from tests.app.contract.combined import THANK_YOU, USES, Combination
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.translations import HEBREW, launched_in, rows, translate

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
CHOICE = {"kind": "single_choice", "text": "How often?", "options": ["Never", "Often", "Always"]}


def states(survey, language=HEBREW):
    return {row.path: row.state for row in rows(survey, language)}


def codes(survey):
    return {finding.code: finding.blocks for finding in lint_survey(survey)}


# --- the texts of a document ----------------------------------------------------------------------


def test_the_texts_are_those_that_the_types_of_the_document_say():
    launch = launched(
        questions=[{"text": "A?", "help_text": "Think.", "help_box": True}, CHOICE],
        introduction="Hello.",
        help_text="Call 116 006.",
    )
    texts = texts_by_path(launch.parameters)
    assert texts["title"] == launch.parameters.title
    assert texts["introduction"] == "Hello."
    assert texts["questions.q1.help"] == "Think."
    assert texts["questions.q1.categories.1"] == "Yes"
    assert texts["questions.q2.categories.2"] == "Always"
    assert texts["support.text"] == "Call 116 006."
    assert not any("devices" in path or path.endswith(".id") for path in texts)


def test_a_document_in_another_language_has_these_texts_and_nothing_else_changed():
    parameters = launched(questions=[CHOICE]).parameters
    texts = {path: f"<{text}>" for path, text in texts_by_path(parameters).items()}
    other = in_language(parameters, HEBREW, texts)
    assert texts_by_path(other) == texts
    assert other.devices == parameters.devices
    assert digest_of(in_language(other, "en", texts_by_path(parameters))) == digest_of(parameters)


@pytest.mark.parametrize("path", ["questions.q1.categories.9", "questions.none.text", "nothing"])
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(KeyError):
        in_language(launched().parameters, HEBREW, {path: "x"})


def test_what_is_missing_is_listed_in_the_order_of_the_document():
    parameters = launched(questions=[CHOICE]).parameters
    texts = texts_by_path(parameters)
    assert missing_of(parameters, {}) == list(texts)
    del texts["questions.q1.text"]
    assert missing_of(parameters, texts) == ["questions.q1.text"]


# --- a draft --------------------------------------------------------------------------------------


def test_words_of_candor_need_no_translation():
    survey = translate(make_survey(questions=[{"prefer_not": True}]))
    own = {path for path, state in states(survey).items() if state == State.OWN}
    assert own == {f"questions.q1.categories.{place}" for place in range(3)}


def test_in_a_language_without_a_catalogue_every_text_is_written():
    survey = make_survey()
    assert State.OWN not in states(translate(survey, "pl"), "pl").values()


def test_a_changed_source_makes_its_translation_stale_and_no_other():
    survey = translate(make_survey(questions=[CHOICE]))
    assert State.STALE not in states(survey).values()
    survey.questions.update(text="How often now?")
    changed = states(survey)
    assert changed.pop("questions.q1.text") == State.STALE
    assert set(changed.values()) == {State.DONE}


def test_a_renamed_question_and_moved_options_keep_what_was_written_for_them():
    survey = translate(make_survey(questions=[CHOICE]))
    before = {row.source: row.text for row in rows(survey)}
    survey.questions.update(name="often", options=["Always", "Never", "Often"])
    after = {row.source: row.text for row in rows(survey)}
    assert after == before
    assert set(states(survey).values()) == {State.DONE}


def test_an_option_that_is_written_anew_takes_nothing_from_one_that_was_moved():
    survey = translate(make_survey(questions=[CHOICE]))
    text = {row.source: row.text for row in rows(survey)}
    survey.questions.update(options=["Daily", "Never", "Often"])
    parameters = draft_parameters(survey=survey)
    daily = {"questions.q1.categories.0": Translated("יומיומי", "Daily")}
    assert write_texts(survey=survey, parameters=parameters, language=HEBREW, texts=daily) == 1
    survey.refresh_from_db()
    answers = [row.text for row in rows(survey) if ".categories." in row.path]
    assert answers == ["יומיומי", text["Never"], text["Often"]]


def test_a_copy_and_a_definition_have_every_translation():
    survey = translate(make_survey(questions=[CHOICE]))
    expected = rows(survey)[1:]
    copy = clone_survey(survey=survey, owner=owner())
    assert rows(copy)[1:] == expected
    definition = read_definition(written(definition_of(survey)))
    imported = import_definition(definition=definition, owner=owner()).survey
    assert rows(imported)[1:] == expected


# --- launch ---------------------------------------------------------------------------------------


def test_a_launch_freezes_complete_languages_and_leaves_others_out():
    survey = translate(translate(make_survey(questions=[CHOICE])), "pl")
    parameters = draft_parameters(survey=survey)
    gap = {"questions.q1.text": Translated("", "How often?")}
    write_texts(survey=survey, parameters=parameters, language="pl", texts=gap)
    survey.refresh_from_db()
    assert codes(survey)["language_incomplete"] is False
    launch = launch_survey(survey=survey, actor=owner())
    assert list(launch.translations) == [HEBREW]
    assert launch.translations[HEBREW].keys() == texts_by_path(launch.parameters).keys()


def test_answers_that_read_the_same_leave_a_language_out():
    survey = translate(
        make_survey(questions=[CHOICE]), words={"Often": "אף פעם", "Never": "אף פעם"}
    )
    assert codes(survey)["language_repeats"] is False
    assert launch_survey(survey=survey, actor=owner()).translations == {}


def test_the_digest_is_that_of_the_survey_without_translations_and_each_has_its_own():
    plain = launched(slug="plain", questions=[CHOICE])
    launch = launched_in(slug="other", questions=[CHOICE])
    assert launch.digest == digest_of(launch.parameters)
    document = launch.document
    served = document["translations"][HEBREW]
    covered = {"document": launch.digest, "language": HEBREW, "texts": served["texts"]}
    assert served["digest"] == digest_of_json(covered)
    assert read(document) == launch.parameters
    assert "translations" not in plain.document


def test_a_language_is_added_after_the_launch_once_it_is_complete_and_stays():
    launch = launched(questions=[CHOICE])
    texts = {
        path: Translated(f"<{text}>", text)
        for path, text in texts_by_path(launch.parameters).items()
    }
    publish = partial(publish_language, launch=launch, language=HEBREW)
    gap = texts | {"questions.q1.categories.1": Translated("", "Often")}
    stale = texts | {"title": Translated("<x>", "Another title")}
    alike = texts | {"questions.q1.categories.1": Translated("<Never>", "Often")}
    for wrong, named in ((gap, "categories.1"), (stale, "title"), (alike, "q1.categories")):
        with pytest.raises(NotReadyError, match=named):
            publish(texts=wrong)
    publish(texts=texts)
    launch.refresh_from_db()
    assert launch.translations[HEBREW]["questions.q1.categories.0"] == "<Never>"
    assert launch.digest == digest_of(launch.parameters)
    with pytest.raises(WrongStateError):
        publish(texts=texts)
    with pytest.raises(WrongStateError):
        translate(launch.survey)


# --- the respondent's page ------------------------------------------------------------------------


def page_of(launch, language=""):
    address = f"/s/{launch.survey.slug}/"
    return Client().get(address, {"language": language} if language else {})


def test_a_page_is_served_in_each_language_and_says_so():
    launch = launched_in(questions=[CHOICE])
    source, other = page_of(launch), page_of(launch, HEBREW)
    assert '<html lang="en">' in source.text
    assert '<html lang="he" dir="rtl">' in other.text
    assert other["Content-Language"] == "he"
    assert 'name="language" value="he" lang="he" dir="rtl"' in source.text
    assert "translations" not in source.text
    served = launch.document["translations"][HEBREW]
    assert served["digest"] in other.text
    assert served["texts"]["title"] in other.text


def test_a_page_without_translations_has_nothing_of_them():
    text = page_of(launched()).text
    for word in ("?language", "data-languages", 'data-group="catalogue"', 'data-group="languages"'):
        assert word not in text


@pytest.mark.parametrize("language", ["pl", "xx", "EN", "../de"])
def test_a_language_that_there_is_not_gets_the_page_in_its_own(language):
    assert '<html lang="en">' in page_of(launched_in(), language).text


def test_where_candor_has_no_words_the_page_is_in_its_source_language():
    text = page_of(launched_in("pl"), "pl").text
    assert '<html lang="en">' in text
    assert 'data-texts="pl"' in text
    assert "⟦" in text


def test_a_closed_survey_says_so_in_each_language():
    launch = launched_in()
    Survey.objects.filter(pk=launch.survey_id).update(state=Survey.State.CLOSED)
    assert 'lang="he" dir="rtl"' in page_of(launch, HEBREW).text.split("<head>")[0]


def test_style_sheets_of_respondents_name_no_left_and_no_right():
    """They say where a line begins and ends, so that they fit both directions of writing."""
    style = grouped_files()["css/groups/respond.css"]
    sides = re.findall(
        r"(?m)^\s*(?:[a-z-]+-)?(?:left|right)(?:-[a-z]+)?:.*|text-align: (?:left|right)", style
    )
    assert sides == []


# The feature of the tests has no Hebrew.
OTHERS = (THANK_YOU, "languages")
# Names that are the same in every language, and hexadecimal digits.
LATIN_NAMES = re.compile(
    r"Candor(?: [\d.]+\+changes)?|JavaScript|cookie|Shift|sha256|[0-9a-f]{12,}"
    r"|[\w.]*example\S*|English|en\.wikipedia\.org"
)
FOR_PROGRAMS = re.compile(r'(?s)<(script|template)\b.*?</\1>|data-(sections|digests)="[^"]*"')
IN_BRACKETS = re.compile(r"⟦[^⟧]*⟧", re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in USES if name not in OTHERS])
def test_beside_every_feature_no_word_of_candor_is_left_in_english(name):
    survey = make_survey(**Combination((name,)).values())
    launch = launch_survey(survey=translate(survey, words={"": ""}), actor=owner())
    assert list(launch.translations) == [HEBREW]
    body = page_of(launch, HEBREW).text.partition("<body")[2]
    page = visible_text(FOR_PROGRAMS.sub("", f"<p{body}"))
    words = re.findall(r"[A-Za-z]{2,}", LATIN_NAMES.sub("", IN_BRACKETS.sub("", page)))
    assert words == []


# --- the form without JavaScript ------------------------------------------------------------------

BY_HAND = [
    {"name": "drug", "physical_device": "three_coins", "epsilon": "1.5", "prefer_not": True},
    {"name": "smokes", "physical_device": "crosswise_birthday", "epsilon": "1"},
    {**CHOICE, "name": "often", "randomized": False},
]


def form_of(launch, **query):
    return Client().get(f"/s/{launch.survey.slug}/physical/", query)


def test_the_form_without_a_script_is_in_each_language_with_its_instructions():
    launch = launched_in(questions=BY_HAND)
    assert 'href="/s/health/physical/?language=he"' in page_of(launch, HEBREW).text
    page = form_of(launch, language=HEBREW).text
    assert '<html lang="he" dir="rtl">' in page
    assert "הטילו מטבע" in page
    assert "B עבור „כן”" in page
    assert 'action="/s/health/physical/?sent&amp;language=he"' in page
    body = visible_text(FOR_PROGRAMS.sub("", f"<p{page.partition('<body')[2]}"))
    words = re.findall(r"[A-Za-z]{2,}", LATIN_NAMES.sub("", IN_BRACKETS.sub("", body)))
    assert words == []
    own = form_of(launch).text
    for device in launch.parameters.devices:
        for step in device.instructions:
            assert escape(step) in own
            assert escape(step) not in page


def test_what_was_sent_by_the_form_is_said_in_its_language_and_is_the_same():
    launch = launched_in(questions=BY_HAND)
    page = form_of(launch, language=HEBREW).text
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', page))
    names = re.findall(r'name="(report-\w+)" value="([^"]+)"', page)
    first = dict(reversed(names))
    answer = Client().post(
        "/s/health/physical/?sent&language=he",
        urlencode({**hidden, **first}),
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 201
    assert "תודה. זה נשמר." in answer.text
    # A link to another language would lead to a new form.
    assert 'class="languages"' not in answer.text
    record = Submission.objects.get()
    assert set(record.content["reports"]) == {"drug", "smokes", "often"}
    assert "language" not in record.content


# --- files of researchers -------------------------------------------------------------------------


def test_questions_and_answers_are_in_every_language_in_the_file_that_others_are_joined_to():
    launch = launched_in(questions=[CHOICE])
    file = in_every_language(questions.table, launch, 0, of_people=False)
    names = [column.name for column in file.columns]
    rows = [dict(zip(names, row, strict=True)) for row in file.rows]
    assert [(row["answer"], row["answer_he"]) for row in rows] == [
        ("Never", "אף פעם"),
        ("Often", "לעיתים קרובות"),
        ("Always", "תמיד"),
    ]
    assert {row["text_he"] for row in rows} == {"⟦How often?⟧"}
    own = questions.table(launched(slug="plain", questions=[CHOICE]))
    in_hebrew = [f"{column.name}_he" for column in own.columns if column.of_author]
    assert names == [*(column.name for column in own.columns), *in_hebrew]


def test_a_text_from_which_a_spreadsheet_computes_leaves_its_language_out():
    survey = translate(make_survey(questions=[CHOICE]), words={"Often": "=1+1"})
    assert codes(survey)["language_formula"] is False
    assert launch_survey(survey=survey, actor=owner()).translations == {}


# --- files of translators -------------------------------------------------------------------------

FILES_READ = pytest.mark.parametrize("ending", list(FILES))


def written_file(survey, ending):
    return FILES[ending].write(rows(survey), "en", HEBREW)


def taken(survey, ending, data):
    return FILES[ending].read(data, rows(survey), "en", HEBREW)


@FILES_READ
def test_a_file_that_is_read_back_says_what_was_written(ending):
    consent = "Voluntary.\n\n“Yes”, <no> & more; 1,5"
    survey = translate(make_survey(questions=[CHOICE], consent=consent))
    texts = taken(survey, ending, written_file(survey, ending))
    expected = {row.path: Translated(row.text, row.source) for row in rows(survey)}
    assert texts == expected


def test_a_spreadsheet_computes_nothing_from_a_file_and_gives_every_text_back():
    survey = translate(make_survey(questions=[{**CHOICE, "text": "-1 or more?"}]), title="=1+1")
    data = written_file(survey, "csv")
    cells = [cell for line in csv.reader(data.decode("utf-8-sig").splitlines()) for cell in line]
    assert "'=1+1" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert taken(survey, "csv", data)["title"].text == "=1+1"
    assert taken(survey, "csv", data)["questions.q1.text"].source == "-1 or more?"


def test_xliff_is_of_version_2_and_has_one_unit_for_each_text():
    survey = translate(make_survey(questions=[CHOICE]))
    root = ElementTree.fromstring(written_file(survey, "xlf"))
    assert root.attrib == {"version": "2.0", "srcLang": "en", "trgLang": HEBREW}
    units = root.findall(f"{{{NAMESPACE}}}file/{{{NAMESPACE}}}unit")
    assert [unit.get("id") for unit in units] == [row.path for row in rows(survey)]


@FILES_READ
def test_what_was_translated_from_another_source_is_stored_and_stale(ending):
    survey = translate(make_survey(questions=[CHOICE]))
    data = written_file(survey, ending).replace(b"How often?", b"How much?")
    texts = taken(survey, ending, data)
    assert texts["questions.q1.text"].source == "How much?"
    parameters = draft_parameters(survey=survey)
    write_texts(survey=survey, parameters=parameters, language=HEBREW, texts=texts)
    survey.refresh_from_db()
    assert states(survey)["questions.q1.text"] == State.STALE


@FILES_READ
def test_what_is_left_empty_takes_nothing_away(ending):
    survey = make_survey(questions=[CHOICE])
    add_language(survey=survey, language=HEBREW)
    survey.refresh_from_db()
    assert taken(survey, ending, written_file(survey, ending)) == {}


def unit(path, inside="<segment><source>x</source><target>y</target></segment>"):
    return f'<unit id="{path}">{inside}</unit>'


def xliff(*units, head='version="2.0" srcLang="en" trgLang="he"', before=""):
    body = "\n".join(units)
    return f'{before}<xliff xmlns="{NAMESPACE}" {head}>\n<file id="f">{body}</file></xliff>'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<xliff", "Line 1: this is no well-formed XML"),
        (
            xliff(before="<!DOCTYPE x [<!ENTITY a 'b'>]>\n"),
            "Line 1: an XLIFF file has no document type",
        ),
        (xliff().replace("2.0", "1.2"), "Line 1: this is no XLIFF file of version 2.0"),
        (
            xliff(head='version="2.0" srcLang="en" trgLang="de"'),
            "“trgLang” is “de”, and has to be “he”",
        ),
        (
            xliff(unit("title"), unit("nothing")),
            "Line 3, unit “nothing”: the survey has no such text",
        ),
        (
            xliff(unit("title"), unit("title")),
            "Line 3, unit “title”: the unit stands in the file twice",
        ),
        (
            xliff(unit("title", "<segment><target>a <pc id='1'>b</pc></target></segment>")),
            "Line 2, unit “title”: a text has no markup inside (<pc>)",
        ),
    ],
)
def test_a_bad_xliff_file_is_refused_by_line_unit_and_rule(text, said):
    survey = translate(make_survey(questions=[CHOICE]))
    with pytest.raises(UnreadTableError) as refusal:
        taken(survey, "xlf", text.encode())
    assert said in refusal.value.problems[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The file is empty"),
        ("unit,source\ntitle,x", "The first row has no column “translation”"),
        ("unit,source,translation\ntitle,x,y,z", "Row 2 has 4 cells"),
        ("unit,source,translation\n\nnothing,x,y", "Line 3, unit “nothing”"),
        ("unit,source,translation\ntitle,x,y\ntitle,x,y", "Line 3, unit “title”"),
    ],
)
def test_a_bad_csv_file_is_refused_by_line_unit_and_rule(text, said):
    survey = translate(make_survey(questions=[CHOICE]))
    with pytest.raises(UnreadTableError) as refusal:
        taken(survey, "csv", text.encode())
    assert said in refusal.value.problems[0]


# --- the author's pages ---------------------------------------------------------------------------


def desk(survey, name, *rest):
    return reverse(f"admin:survey_{name}", args=[survey.pk, *rest])


@pytest.fixture
def author(client):
    client.force_login(owner())
    return client


def test_an_author_adds_a_language_writes_its_texts_and_takes_it_away(author):
    survey = make_survey(questions=[CHOICE])
    added = author.post(desk(survey, "languages"), {"language": HEBREW}, follow=True)
    assert "of 8 texts are missing" in added.text.replace("\n", " ")
    form = {row.path: f"{row.source}!" for row in rows(Survey.objects.get())}
    stored = author.post(desk(survey, "language", HEBREW), form, follow=True)
    assert "It is complete." in stored.text
    assert "Languages" in author.get(desk(survey, "launch")).text
    preview = author.get(desk(survey, "preview"), {"language": HEBREW})
    assert '<html lang="he" dir="rtl">' in preview.text
    assert "How often?!" in preview.text
    author.post(desk(survey, "language_remove", HEBREW))
    survey = Survey.objects.get()
    assert survey.features == survey.questions.get().features == {}


def test_only_what_was_changed_on_the_page_is_stored(author):
    survey = translate(make_survey(questions=[CHOICE]))
    before = {row.path: row.text for row in rows(survey)}
    survey.questions.update(text="How often now?")
    form = {row.path: row.text for row in rows(survey)}
    form |= {f"initial-{path}": text for path, text in form.items()} | {"title": "Other"}
    author.post(desk(survey, "language", HEBREW), form)
    survey = Survey.objects.get()
    assert {row.path: row.text for row in rows(survey)} == before | {"title": "Other"}
    assert states(survey)["questions.q1.text"] == State.STALE
    form["still-questions.q1.text"] = "on"
    author.post(desk(survey, "language", HEBREW), form)
    assert states(Survey.objects.get())["questions.q1.text"] == State.DONE


@FILES_READ
@pytest.mark.slow
def test_a_translators_file_comes_and_goes_by_the_page(author, ending):
    survey = translate(make_survey(questions=[CHOICE]))
    answer = author.get(desk(survey, "language_file", HEBREW, ending))
    assert f"health.he.{ending}" in answer["Content-Disposition"]
    changed = answer.content.replace("תמיד".encode(), "תמיד ממש".encode())
    upload = SimpleUploadedFile("he", changed)
    author.post(desk(survey, "language_read", HEBREW), {"file": upload})
    texts = {row.source: row.text for row in rows(Survey.objects.get())}
    assert texts["Always"] == "תמיד ממש"
    bad = SimpleUploadedFile("he", changed.replace(b"questions.q1.text", b"questions.q9.text"))
    refused = author.post(desk(survey, "language_read", HEBREW), {"file": bad})
    assert refused.status_code == 422
    assert "unit “questions.q9.text”" in refused.text
    assert {row.source: row.text for row in rows(Survey.objects.get())} == texts


def test_a_language_is_published_after_the_launch_from_the_page(author):
    launch = launched(questions=[CHOICE])
    address = desk(launch.survey, "language", HEBREW)
    form = {path: f"{text}!" for path, text in texts_by_path(launch.parameters).items()}
    refused = author.post(address, form | {"questions.q1.text": ""})
    assert "these texts are missing or stale: questions.q1.text" in refused.text
    launch.refresh_from_db()
    assert launch.translations == {}
    author.post(address, form)
    launch.refresh_from_db()
    assert launch.translations[HEBREW] == form
    assert "Respondents can read it." in author.get(desk(launch.survey, "languages")).text
