"""Further languages: their texts into a file beside the sources, and back."""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

import msgspec

from candor.documents import Languages, Texts
from candor.errors import CandorError
from candor.verbs.common import agrees, say, show, site_of, survey_of, takes_survey


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    translations = verbs.add_parser("translations", help="languages: list, pull, push, delete")
    kinds = translations.add_subparsers(required=True, metavar="COMMAND")
    listed = kinds.add_parser("list", help="list the languages, and how many texts are missing")
    takes_survey(listed)
    listed.set_defaults(run=list_all)
    pulled = _of_language(kinds, "pull", "write texts and sources of a language into a JSON file")
    pulled.add_argument("file", type=Path)
    pulled.set_defaults(run=pull)
    pushed = _of_language(
        kinds, "push", "store the texts of such a file; once the survey is launched, publish them"
    )
    pushed.add_argument("file", type=Path)
    pushed.set_defaults(run=push)
    deleted = _of_language(kinds, "delete", "take a language away from a draft")
    deleted.add_argument("--yes", action="store_true", help="without asking")
    deleted.set_defaults(run=delete)


def _of_language(
    kinds: "_SubParsersAction[ArgumentParser]", name: str, words: str
) -> ArgumentParser:
    parser = kinds.add_parser(name, help=words)
    parser.add_argument("language", help="its code, such as de")
    takes_survey(parser)
    return parser


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        languages = site.languages(survey_of(given, site))
    show(given, languages, "\n".join(_lines(languages)))


def _lines(languages: Languages) -> list[str]:
    lines = [f"{languages.source}: the language of the sources"]
    for each in languages.items:
        state = f", published as {each.digest}" if each.digest else ""
        lines.append(f"{each.language}: {each.texts} texts, {each.open} to do{state}")
    return lines


def pull(given: Namespace) -> None:
    with site_of(given) as site:
        texts = site.texts(survey_of(given, site), given.language)
    given.file.write_bytes(msgspec.json.format(msgspec.json.encode(texts), indent=1) + b"\n")
    say(f"{given.file}: {_state(texts)}")


def push(given: Namespace) -> None:
    texts = _read(given.file)
    if texts.language != given.language:
        rule = f"is of {texts.language!r} and not of {given.language!r}"
        raise CandorError(f"file: {given.file} {rule}")
    # What nobody has translated yet is left out, and stays open.
    filled = [each for each in texts.items if each.text.strip()]
    with site_of(given) as site:
        stored = site.store_texts(survey_of(given, site), given.language, filled)
    show(given, stored, f"{given.language}: {_state(stored)}")


def _read(path: Path) -> Texts:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Texts)
    except msgspec.MsgspecError as error:
        words = f"file: {path} is no file of texts, as `candor translations pull` makes it: {error}"
        raise CandorError(words) from error


def _state(texts: Texts) -> str:
    done = sum(each.state in ("done", "own") for each in texts.items)
    return f"{done} of {len(texts.items)} texts are translated"


def delete(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        if not agrees(f"Delete all texts in {given.language}?", yes=given.yes):
            raise CandorError("Nothing was deleted: confirm it with --yes.")
        site.delete_language(survey, given.language)
    say(f"Deleted: {given.language}")
