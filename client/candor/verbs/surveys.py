"""Surveys: pushed from a file, checked, launched, closed."""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from datetime import datetime
from pathlib import Path

import msgspec

from candor.documents import Checks, Readable, Stored, Survey, Validated
from candor.errors import CandorError, place
from candor.settings import Links
from candor.site import Candor
from candor.verbs.common import agrees, say, show, site_of, survey_of, takes_survey, tell


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    survey = verbs.add_parser("survey", help="drafts: push, pull, validate, check, list, delete")
    kinds = survey.add_subparsers(required=True, metavar="COMMAND")
    pushed = kinds.add_parser("push", help="make a draft of a definition, or change its draft")
    pushed.add_argument("file", type=Path)
    pushed.add_argument("--force", action="store_true", help="also over changes of somebody else")
    pushed.set_defaults(run=push)
    pulled = kinds.add_parser("pull", help="write the definition of a survey into a file")
    pulled.add_argument("file", type=Path)
    takes_survey(pulled)
    pulled.set_defaults(run=pull)
    validated = kinds.add_parser("validate", help="say what a definition would become")
    validated.add_argument("file", type=Path)
    validated.set_defaults(run=validate)
    checked = kinds.add_parser("check", help="run the checks of the launch, and launch nothing")
    takes_survey(checked)
    checked.set_defaults(run=check)
    listed = kinds.add_parser("list", help="list the surveys of this account")
    shown = "also of others, if they are launched and their results are shown to this account"
    listed.add_argument("--results", action="store_true", help=shown)
    listed.set_defaults(run=list_all)
    deleted = kinds.add_parser("delete", help="delete a draft")
    deleted.add_argument("--yes", action="store_true", help="without asking")
    takes_survey(deleted)
    deleted.set_defaults(run=delete)

    launched = verbs.add_parser("launch", help="freeze the draft, and open it")
    launched.add_argument("--yes", action="store_true", help="confirm what has to be read first")
    takes_survey(launched)
    launched.set_defaults(run=launch)
    closed = verbs.add_parser("close", help="close an open survey")
    takes_survey(closed)
    closed.set_defaults(run=close)
    reopened = verbs.add_parser("reopen", help="open a closed survey again")
    reopened.add_argument("--until", type=datetime.fromisoformat, help="2026-12-24T18:00+01:00")
    takes_survey(reopened)
    reopened.set_defaults(run=reopen)


def push(given: Namespace) -> None:
    with site_of(given) as site:
        links = Links.of(given.folder, site.url)
        name = given.file.name
        link = links.files.get(name)
        if link is None:
            stored = site.create(given.file)
        else:
            tag = None if given.force else link["tag"]
            stored = site.replace(int(link["survey"]), given.file, tag=tag)
        links.files[name] = {"survey": str(stored.survey.id), "tag": stored.tag}
        links.current = str(stored.survey.id)
        links.store()
    show(given, stored, _words(stored))


def _words(stored: Stored) -> str:
    lines = [f"{stored.survey.title}: draft {stored.survey.id}, {stored.survey.link}"]
    return "\n".join([*lines, *(f"  {sentence}" for sentence in stored.changed)])


def pull(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        definition, tag = site.definition(survey)
        text = msgspec.json.format(msgspec.json.encode(definition), indent=1)
        given.file.write_bytes(text + b"\n")
        links = Links.of(given.folder, site.url)
        links.files[given.file.name] = {"survey": str(survey.id), "tag": tag}
        links.current = str(survey.id)
        links.store()
    say(f"{survey.title}: {given.file}")


def validate(given: Namespace) -> int:
    with site_of(given) as site:
        found = site.validate(given.file)
    show(given, found, _validation(found))
    return 0 if found.valid and (found.checks is None or found.checks.ready) else 1


def _validation(found: Validated) -> str:
    lines = [f"{place(problem)}: {problem.rule}" for problem in found.problems]
    lines += [*found.changed, *(_checks(found.checks) if found.checks else [])]
    return "\n".join([*lines, "It can be a draft." if found.valid else "It cannot be a draft."])


def check(given: Namespace) -> int:
    with site_of(given) as site:
        checks = site.check(survey_of(given, site))
    show(given, checks, "\n".join(_checks(checks)))
    return 0 if checks.ready else 1


def _checks(checks: Checks) -> list[str]:
    lines = [
        f"{'stops the launch' if each.blocks else 'remark'}: "
        f"{f'{each.question}: ' if each.question else ''}{each.message}"
        for each in checks.findings
    ]
    lines += [f"to confirm: {words}" for words in checks.confirm]
    return [*lines, f"Ready to launch: {checks.digest}" if checks.ready else "Not ready to launch."]


def launch(given: Namespace) -> int:
    with site_of(given) as site:
        survey = survey_of(given, site)
        checks = site.check(survey)
        if not checks.ready:
            raise CandorError("\n".join(["It cannot be launched.", *_checks(checks)]))
        for words in checks.confirm:
            tell(words)
        if checks.confirm and not agrees("Launch all the same?", yes=given.yes):
            raise CandorError("Nothing was launched: confirm it with --yes.")
        survey = site.launch(survey, checks, confirmed=bool(checks.confirm))
    digest = survey.launch.digest if survey.launch else ""
    show(given, survey, f"Open: {survey.link}\n{digest}")
    return 0


def close(given: Namespace) -> None:
    with site_of(given) as site:
        survey = site.shut(survey_of(given, site))
    show(given, survey, _state(survey))


def reopen(given: Namespace) -> None:
    with site_of(given) as site:
        survey = site.reopen(survey_of(given, site), closes_at=given.until)
    show(given, survey, _state(survey))


def _state(survey: Survey) -> str:
    return f"{survey.title}: {survey.state}"


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        surveys: list[Survey] | list[Readable] = (
            list(site.readable()) if given.results else list(site.surveys())
        )
    lines = [f"{each.id:>6}  {each.state:<8}  {each.address}  {each.title}" for each in surveys]
    show(given, surveys, "\n".join(lines) or "There are no surveys yet.")


def delete(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        if not agrees(f"Delete the draft {survey.title!r}?", yes=given.yes):
            raise CandorError("Nothing was deleted: confirm it with --yes.")
        site.delete(survey)
        _forget(given, site, survey)
    say(f"Deleted: {survey.title}")


def _forget(given: Namespace, site: Candor, survey: Survey) -> None:
    links = Links.of(given.folder, site.url)
    links.files = {
        name: each for name, each in links.files.items() if each["survey"] != str(survey.id)
    }
    links.current = "" if links.current == str(survey.id) else links.current
    links.store()
