"""Files about the results: exports and the replication bundle."""

import hashlib
import os
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from pathlib import Path

from candor.downloads import Download
from candor.settings import Links
from candor.site import Candor
from candor.verbs.common import (
    results_of,
    show,
    site_of,
    takes_survey,
    tell,
    tell_progress,
)


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    export = verbs.add_parser("export", help="store a file: data, estimates, a codebook")
    export.add_argument("--format", default="csv", help="csv, xlsx, sav, dta, parquet, rds, ...")
    export.add_argument("--table", default="reports", help="reports, estimates, codebook, ...")
    export.add_argument("--list", action="store_true", help="list what there is")
    _takes_output(export)
    export.set_defaults(run=store)
    bundle = verbs.add_parser("bundle", help="store all that recomputes the results, as one ZIP")
    rows = "with the reports, for those whom the author names"
    bundle.add_argument("--with-rows", action="store_true", help=rows)
    _takes_output(bundle)
    bundle.set_defaults(run=store_bundle)


def _takes_output(parser: ArgumentParser) -> None:
    again = "have a worker make it once more, where that has failed"
    parser.add_argument("--again", action="store_true", help=again)
    where = "a file, or a folder; by default here, under the name that the site gives it"
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help=where)
    takes_survey(parser)


def store(given: Namespace) -> None:
    name = f"{given.table}.{given.format}"
    with site_of(given) as site:
        survey = results_of(given, site)
        if given.list:
            files = site.files(survey)
            show(given, files, "\n".join(file.name for file in files))
            return
        _store(
            given,
            site,
            f"{survey.id}/{name}",
            lambda tag: site.export(
                survey,
                name,
                given.output,
                tag=tag,
                again=given.again,
                progress=tell_progress("The file is being made"),
            ),
        )


def store_bundle(given: Namespace) -> None:
    with site_of(given) as site:
        survey = results_of(given, site)
        _store(
            given,
            site,
            f"{survey.id}/bundle{'/rows' if given.with_rows else ''}",
            lambda tag: site.bundle(
                survey,
                given.output,
                with_rows=given.with_rows,
                tag=tag,
                again=given.again,
                progress=tell_progress("The bundle is being made"),
            ),
        )


def _store(given: Namespace, site: Candor, what: str, download: Callable[[str], Download]) -> None:
    """Store a file that is not here yet as the site has it, and remember which it is."""
    links = Links.of(given.folder, site.url)
    before = links.downloads.get(what, {})
    place = given.folder / before.get("path", "")
    here = _is_here(place, before, given.output)
    stored = download(before["tag"] if here else "")
    if stored.path is None:
        tell("It is here already: nothing was released since.")
    else:
        place = stored.path
        # Below the folder that may be under version control, it is there for others too.
        path = os.path.relpath(place, given.folder)
        links.downloads[what] = {"path": path, "tag": stored.tag, "sha256": _digest(place)}
        links.store()
    path = os.path.relpath(place)
    show(given, {"path": path, "changed": stored.path is not None}, path)


def _is_here(place: Path, before: dict[str, str], output: Path | None) -> bool:
    """Whether what was downloaded is where it is wanted, and as it came."""
    if not before.get("tag") or not place.is_file():
        return False
    wanted = output or Path()
    found = place.parent if wanted.is_dir() else place
    return found.resolve() == wanted.resolve() and _digest(place) == before["sha256"]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
