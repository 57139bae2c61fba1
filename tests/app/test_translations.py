"""Every text can be translated, and every translation is complete, current and well formed."""

import re
from collections import Counter
from itertools import combinations

import polib
import pytest

from scripts import messages
from tests.app.visible_text import own_text, sentences

CATALOGUES = messages.catalogues()
GERMAN = [path for path in CATALOGUES if path.parts[-3] == "de"]
TEMPLATES = sorted((messages.ROOT / "templates").rglob("*.html"))
SCRIPTS = [
    path for domain in (messages.SCRIPTS, *messages.FURTHER) for path in messages.sources(domain)
]

MARKS = re.compile(r"%(?:\(\w+\))?[sd]|%%\d?|\{\w*\}|<[^>]*>")
WORD = re.compile(r"[^\W\d_]{2,}")
# The same in every language.
NAMES = {"Candor", "SHA"}
# docs/translating.md says why German does without these.
UNWANTED = re.compile(r"lüg|rauschen|verschlüssel|bitte beachten|!|['\"”]", re.IGNORECASE)
# One word for people, "Befragte", and one for the device, "Zufallsmittel".
OTHER_PEOPLE = re.compile(
    r"mensch|personen|leute\b|teilnehm(er|end)|proband|interviewt|antwortende|mitwirkende",
    re.IGNORECASE,
)
OTHER_DEVICE = re.compile(
    r"mechanism|randomisier|apparat|vorrichtung|zufalls(ger|gen|verf|inst)"
    r"|eigene\w* mittel|\brad\b",
    re.IGNORECASE,
)
# The name of a method, and what is seen to turn.
NO_DEVICE = re.compile(r"Laplace-Mechanismus|Das Rad dreht sich noch")

# Wordings that readers misunderstood, which must not return.
RETIRED = (
    "whom to ask back",
    "Have a look",
    "Nobody is named",
    "are the most",
    "may make anyone surer",
    "is no origin",
    "hoever runs this site",
    "held the chosen share",
    "box apart",
    "each one apart",
    "is gone from this page",
    "Scrambled before it leaves.",
    "at no time",
    "that sure everybody",
    "ho preferred not to say is left out",
    "say to yourself",
    "Tipp auf eine Antwort ist falsch",
    "sicherer machen als",
    "so viel wie wie viele",
    "nimmt Fragen mit einer Antwort",
    "trägt auch den Fehler",
    "eins nach dem anderen",
    "Kleine Epsilon haben Platz",
    "aber nicht fragen",
    "keine Netzadresse",
    "auf die Reise",
)
GUIDES = sorted((messages.ROOT / "docs" / "guide").glob("*.md"))


def ident(path):
    return path.relative_to(messages.ROOT).as_posix()


def translations_of(entry):
    return [entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)] or [entry.msgstr]


def pairs(entry):
    """Each translated form with the text it stands for: the first with the singular."""
    texts = [entry.msgid, *[entry.msgid_plural] * (len(translations_of(entry)) - 1)]
    return zip(texts, translations_of(entry), strict=True)


def by_key(entries):
    return {messages.key_of(entry): translations_of(entry) for entry in entries}


@pytest.fixture(params=CATALOGUES, ids=ident)
def catalogue(request):
    return polib.pofile(str(request.param))


@pytest.mark.parametrize("path", CATALOGUES, ids=ident)
@pytest.mark.slow
def test_a_catalogue_has_the_texts_of_the_sources_and_no_others(path):
    fresh = messages.merge_texts(polib.pofile(str(path)), path)
    assert f"{fresh}\n" == path.read_text(encoding="utf-8"), "Run `make messages`, then translate."


@pytest.mark.parametrize("path", CATALOGUES, ids=ident)
def test_what_is_compiled_is_what_was_translated(path):
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    assert by_key(compiled) == by_key(polib.pofile(str(path)))
    assert compiled.metadata["Plural-Forms"] == messages.PLURALS[path.parts[-3]]


def test_nothing_is_untranslated_guessed_or_outdated(catalogue):
    assert [entry.msgid for entry in catalogue if not all(translations_of(entry))] == []
    assert catalogue.fuzzy_entries() == []
    assert catalogue.obsolete_entries() == []


def test_placeholders_and_markup_survive_translation(catalogue):
    for entry in catalogue:
        for text, translated in pairs(entry):
            marks, translated_marks = MARKS.findall(text), MARKS.findall(translated)
            assert Counter(marks) == Counter(translated_marks), text
            # Without a name they are filled by position.
            assert [m for m in marks if m in ("%s", "%d")] == [
                m for m in translated_marks if m in ("%s", "%d")
            ], text


def test_a_plural_has_as_many_forms_as_its_language(catalogue):
    forms = int(re.search(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])[1])
    assert {len(entry.msgstr_plural) for entry in catalogue} <= {0, forms}


def test_pages_and_scripts_say_the_same_for_the_same_text():
    catalogues = [by_key(polib.pofile(str(path))) for path in GERMAN]
    assert len(catalogues) == len(messages.DOMAINS)
    for one, other in combinations(catalogues, 2):
        shared = one.keys() & other.keys()
        assert {key: one[key] for key in shared} == {key: other[key] for key in shared}


@pytest.mark.parametrize("path", GERMAN, ids=ident)
def test_german_keeps_to_its_words_and_quotation_marks(path):
    for entry in polib.pofile(str(path)):
        for text in translations_of(entry):
            words = re.sub(r"<[^>]*>", "", text)
            assert not UNWANTED.search(words), text
            assert words.count("„") == words.count("“"), text


@pytest.mark.parametrize("path", GERMAN, ids=ident)
@pytest.mark.slow
def test_german_has_one_word_for_people_and_one_for_the_device(path):
    for entry in polib.pofile(str(path)):
        for text in translations_of(entry):
            assert not OTHER_PEOPLE.search(text), text
            assert not OTHER_DEVICE.search(NO_DEVICE.sub("", text)), text
            # That is the phone or the computer.
            assert "Gerät" not in text or re.search("your device|computer", entry.msgid), text


@pytest.mark.parametrize("path", [*CATALOGUES, *GUIDES], ids=ident)
def test_words_that_readers_stumbled_over_are_gone(path):
    # Lines of a catalogue that go on are put together again.
    text = path.read_text(encoding="utf-8").replace('"\n"', "")
    assert [phrase for phrase in RETIRED if phrase in text] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=ident)
def test_a_template_shows_no_words_outside_translation(path):
    words = WORD.findall(own_text(path.read_text(encoding="utf-8")))
    assert [word for word in words if word not in NAMES] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=ident)
def test_a_script_shows_no_words_outside_translation(path):
    marked = {text for _context, *texts in messages.texts_of(path) for text in texts}
    literals = sentences(path.read_text(encoding="utf-8"))
    assert [text for text in literals if text not in marked] == []


def test_words_outside_translation_are_noticed():
    template = (
        '<p title="A hint">Hello {{ name }} <b aria-label="{% translate "x" %}">'
        "{% if a %}there{% endif %}{% blocktranslate %}not this{% endblocktranslate %}</b></p>"
    )
    assert own_text(template) == "A hint Hello there"
    script = 'button("Go on", f); el("p", {class: "a b"}, `Wait ${n} s`); throw new Error("No");'
    assert list(sentences(script)) == ["Go on", "Wait ${n} s"]


def test_collecting_reads_templates(tmp_path):
    path = tmp_path / "a.html"
    plural = "{% blocktranslate count n=n %}one{% plural %}{{ n }}{% endblocktranslate %}"
    path.write_text(f'<p>{{% translate "It’s 5 %" %}}</p>\n  {plural}')
    assert list(messages.texts_of(path)) == [("", "It’s 5 %%", ""), ("", "one", "%(n)s")]


def test_collecting_reads_python(tmp_path):
    path = tmp_path / "a.py"
    path.write_text('_("a " "b")\nngettext("one", "many", n)\npgettext("month", "May")\n')
    assert list(messages.texts_of(path)) == [
        ("", "a b", ""),
        ("", "one", "many"),
        ("month", "May", ""),
    ]


def test_collecting_reads_scripts(tmp_path):
    path = tmp_path / "a.js"
    path.write_text('const x = /"/;\ngettext(\n  "a",\n);\nngettext("1", "2", n);\n')
    assert list(messages.texts_of(path)) == [("", "a", ""), ("", "1", "2")]
