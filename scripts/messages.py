"""Collect the texts to translate into surveys/locale, and compile them: `make messages`.

Babel reads the sources and polib writes the catalogues, so that no GNU gettext has to be installed
and the tests can run the same collection. The same sources give the same bytes: no dates, no line
numbers, no guessed ("fuzzy") and no outdated entries.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from babel.messages.extract import extract
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "surveys" / "locale"
SCRIPTS = "djangojs"
# Apart from the other texts of scripts: those of scripts that most pages do not load, by domain.
FURTHER = {
    "joint": ("joint_blocks", "joint_draw", "joint_words", "joint_question"),
    "ties": ("ties",),
    "bits": ("bits",),
}
FEATURES = ROOT / "static" / "js" / "features"
# Those whose scripts have texts to translate.
OF_FEATURES = sorted(
    path.parent.name
    for path in FEATURES.glob("*/page.js")
    if any("gettext(" in script.read_text("utf-8") for script in path.parent.glob("*.js"))
)
DOMAINS = ("django", SCRIPTS, *FURTHER, *OF_FEATURES)
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd]")
# The arguments of each function: the text, its plural, its context ("c").
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
WRAP = 96
PLURALS = {"de": "nplurals=2; plural=(n != 1);", "he": "nplurals=2; plural=(n != 1);"}
# The languages of respondents' pages: they have what respondents read of a survey in several
# languages, and nothing else (docs/translating.md).
OF_RESPONDENTS = {"he"}
# The files of which they have the texts, as a regular expression of their paths, and what of the
# templates of features is on other pages.
READ_BY_RESPONDENTS = re.compile(
    r"templates/base\.html"
    r"|templates/surveys/respond/(?!check|unknown)\w+\.html"
    r"|templates/features/\w+/(?!above|question|request|results|\w+_status)\w+\.html"
    r"|surveys/features/\w+/(views|section|settings)\.py"
    r"|surveys/features/\w+/page_words\.py"
    r"|surveys/(views|forms)/physical(_questions)?\.py"
    r"|surveys/devices/physical/\w+\.py"
    r"|surveys/kinds/(kind|multiple_choice|yes_no)\.py"
    r"|surveys/strength_(statements|words)\.py"
    r"|surveys/numbers/(plain|spans)\.py"
    r"|static/js/(lib|ui|rr|features)/.+\.js"
)
# Pages of authors begin so.
_OF_AUTHORS = '{% extends "admin/'

# (context, text, plural)
Key = tuple[str, str, str]


def main() -> int:
    """Update every catalogue; returns the number of texts without a translation."""
    total = 0
    for path in catalogues():
        updated = merge_texts(polib.pofile(str(path)) if path.exists() else polib.POFile(), path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{updated}\n", encoding="utf-8")
        updated.save_as_mofile(str(path.with_suffix(".mo")))
        untranslated = len(updated.untranslated_entries())
        total += untranslated
        relative = path.relative_to(ROOT)
        sys.stdout.write(f"{relative}: {len(updated)} texts, {untranslated} to translate\n")
    return total


def catalogues() -> list[Path]:
    """The paths of the .po files: those of each domain for each language."""
    return [
        LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
        for language in sorted(PLURALS)
        for domain in DOMAINS
    ]


def merge_texts(old: polib.POFile, path: Path) -> polib.POFile:
    """The texts of the sources in their order, with their existing translations."""
    language, domain = path.parts[-3], path.stem
    translations = {key_of(entry): entry for entry in old if not entry.obsolete and not entry.fuzzy}
    new = polib.POFile(wrapwidth=WRAP)
    new.metadata = {
        "Project-Id-Version": "Candor",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    for key, files in collect_texts(domain).items():
        if language in OF_RESPONDENTS and not any(map(is_read_by_respondents, files)):
            continue
        new.append(_entry(key, files, translations.get(key)))
    return new


def is_read_by_respondents(name: str) -> bool:
    """Whether a file has texts of respondents' pages of surveys in several languages."""
    if READ_BY_RESPONDENTS.fullmatch(name) is None:
        return False
    return not (ROOT / name).read_text("utf-8").startswith(_OF_AUTHORS)


def key_of(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural or ""


def collect_texts(domain: str) -> dict[Key, list[str]]:
    """Every text of a domain with the files that use it, by file and place."""
    files_of_texts: dict[Key, list[str]] = {}
    for path in sources(domain):
        for key in texts_of(path):
            files = files_of_texts.setdefault(key, [])
            name = path.relative_to(ROOT).as_posix()
            if name not in files:
                files.append(name)
    return files_of_texts


def sources(domain: str) -> list[Path]:
    if domain != "django":
        scripts = sorted((ROOT / "static" / "js").rglob("*.js"))
        domain_of = {stem: name for name, stems in FURTHER.items() for stem in stems}
        of_features = {path: path.parent.name for path in scripts if FEATURES in path.parents}
        domains = {path: domain_of.get(path.stem, SCRIPTS) for path in scripts} | of_features
        return [path for path in scripts if domains[path] == domain]
    python = [*(ROOT / "config").rglob("*.py"), *(ROOT / "surveys").rglob("*.py")]
    paths = [path for path in python if "migrations" not in path.parts]
    return sorted([*paths, *(ROOT / "templates").rglob("*.html")])


def texts_of(path: Path) -> Iterator[Key]:
    """The texts that one file marks for translation."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        # Django turns a template into Python-like text, but with irregular indentation.
        text = "\n".join(line.strip() for line in templatize(text, path.name).splitlines())
    method = "javascript" if path.suffix == ".js" else "python"
    for _line, message, _comments, context in extract(method, io.BytesIO(text.encode()), KEYWORDS):
        singular, plural = message if isinstance(message, tuple) else (message, "")
        yield context or "", singular, plural


def _entry(key: Key, files: list[str], translation: polib.POEntry | None) -> polib.POEntry:
    context, singular, plural = key
    entry = polib.POEntry(
        msgctxt=context or None,
        msgid=singular,
        msgid_plural=plural,
        msgstr=translation.msgstr if translation else "",
        occurrences=[(name, "") for name in files],
        flags=["python-format"] if PLACEHOLDER.search(singular) else [],
        tcomment=translation.tcomment if translation else "",
    )
    if plural:
        entry.msgstr_plural = dict(translation.msgstr_plural) if translation else {0: "", 1: ""}
    return entry


if __name__ == "__main__":
    main()
