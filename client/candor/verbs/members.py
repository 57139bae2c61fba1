"""Rosters and personal links: members from a table, links to a file that nobody else reads."""

import csv
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path

from candor.documents import MemberRow, Roster
from candor.errors import CandorError
from candor.verbs.common import (
    agrees,
    say,
    secret_file,
    show,
    site_of,
    survey_of,
    takes_secret_file,
    takes_survey,
)


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    members = verbs.add_parser(
        "members", help="a roster and its links: push, list, links, revoke, forget-names"
    )
    kinds = members.add_subparsers(required=True, metavar="COMMAND")
    pushed = kinds.add_parser("push", help="make a table the roster of a draft")
    table = "CSV with the columns code, name and perhaps group; commas or semicolons"
    pushed.add_argument("file", type=Path, help=table)
    pushed.set_defaults(run=push)
    listed = kinds.add_parser("list", help="list the members; who has answered is told to nobody")
    listed.set_defaults(run=list_all)
    linked = kinds.add_parser("links", help="make personal links; older ones are void")
    linked.add_argument("codes", nargs="*", metavar="CODE", help="of whom; else who has none used")
    linked.add_argument("--yes", action="store_true", help="without asking")
    takes_secret_file(linked, "links.csv")
    linked.set_defaults(run=make_links)
    revoked = kinds.add_parser("revoke", help="revoke the link of a member")
    revoked.add_argument("code")
    revoked.set_defaults(run=revoke)
    forgotten = kinds.add_parser("forget-names", help="delete the names of a closed survey")
    forgotten.add_argument("--yes", action="store_true", help="without asking")
    forgotten.set_defaults(run=forget_names)
    for parser in (pushed, listed, linked, revoked, forgotten):
        takes_survey(parser)


def push(given: Namespace) -> None:
    rows = read_members(given.file)
    with site_of(given) as site:
        stored = site.replace_members(survey_of(given, site), rows)
    lines = [f"{stored.members} members", *(f"  {sentence}" for sentence in stored.changed)]
    show(given, stored, "\n".join(lines))


def read_members(path: Path) -> list[MemberRow]:
    """The members of a table; raises CandorError that names its line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CandorError(f"file: {path} is no UTF-8: {error}") from error
    header = text.partition("\n")[0]
    reader = csv.DictReader(text.splitlines(), delimiter=";" if ";" in header else ",")
    columns = {name.strip().lower(): name for name in reader.fieldnames or ()}
    missing = {"code", "name"} - set(columns)
    if missing:
        raise CandorError(f"file: {path} has no column {sorted(missing)[0]!r} in its first line")
    rows = []
    for line in reader:
        cells = {name: (line[column] or "").strip() for name, column in columns.items()}
        if None in line:
            raise CandorError(f"file: line {reader.line_num} of {path} has too many cells")
        if any(cells.values()):
            row = MemberRow(code=cells["code"], name=cells["name"], group=cells.get("group", ""))
            rows.append(row)
    return rows


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        roster = site.members(survey_of(given, site))
    show(given, roster, "\n".join(_lines(roster)))


def _lines(roster: Roster) -> list[str]:
    lines = [
        f"  {each.code:<16} {each.name}{f' ({each.group})' if each.group else ''}"
        for each in roster.items
    ]
    size = len(roster.items)
    return [*lines, f"{size} members, {roster.have_link} links, {roster.have_answered} answered"]


def make_links(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        if not agrees("Make links? Older ones of these members are void then.", yes=given.yes):
            raise CandorError("No links were made: confirm it with --yes.")
        with secret_file(given.output) as file:
            links = site.make_links(survey, given.codes or None)
            writer = csv.writer(file)
            writer.writerow(["code", "link"])
            writer.writerows([each.code, each.link] for each in links)
    if given.output != "-":
        content = {"links": len(links), "path": given.output}
        show(given, content, f"{len(links)} links: {given.output}")


def revoke(given: Namespace) -> None:
    with site_of(given) as site:
        site.revoke_link(survey_of(given, site), given.code)
    say(f"The link of {given.code} is void.")


def forget_names(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        if not agrees(f"Delete the names of {survey.title!r} for ever?", yes=given.yes):
            raise CandorError("Nothing was deleted: confirm it with --yes.")
        site.delete_names(survey)
    say("The names are deleted.")
