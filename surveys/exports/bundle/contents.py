"""What is in a bundle, written member by member: nothing but what its reader may download singly.

All of it is of one release: if another one comes meanwhile, MovingError says so and the file that
was begun is of no use.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version as version_of_package
from itertools import count
from pathlib import Path
from platform import python_version
from typing import IO, Any

from django.contrib.staticfiles import finders
from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports import analysis
from surveys.exports.bundle import readme
from surveys.exports.bundle.archive import Archive, Member, archive_in
from surveys.exports.crowd import NoSuchBlockError
from surveys.exports.document import language_of
from surveys.exports.formats import codebook, csv
from surveys.exports.languages import in_every_language
from surveys.exports.metadata import crate, croissant, datapackage, ddi
from surveys.exports.metadata.study import PROGRAM, DataFile, File, Study, study_of
from surveys.exports.registry import Export, all_exports
from surveys.exports.results_file import results_file
from surveys.exports.snapshot import MOVING, MovingError
from surveys.exports.table import Row
from surveys.exports.tables import weighted
from surveys.models import AnalysisFit
from surveys.parameters.canonical import canonical_json
from surveys.results.device_certificates import certificates_file
from surveys.results.release import Release, release_of
from surveys.results.weighted.presentation import stored_weighted
from surveys.results_document.fits import read_fit

SUMS = "SHA256SUMS"
KINDS_OF_FILES = {"csv": "CSV", "tex": "LaTeX", "py": "Python", "json": "JSON"}
PROGRAMS = {"recompute.py": "Python", "recompute.R": "R"}
# What the numbers were computed with.
PACKAGES = ("numpy", "scipy")
Counted = Callable[[Iterator[Row]], Iterator[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What goes in. `with_rows`: whether its reader may have the reports. `fits`: the analyses that
    this reader sees; those of an earlier release are left out. `counted`: what looks at the rows as
    they go by, for instance to say how far it is.
    """

    release: Release
    with_rows: bool
    fits: Sequence[AnalysisFit] = ()
    counted: Counted = iter


def write_bundle(contents: Contents, file: IO[bytes]) -> None:
    """Write the zip into an empty file that can be sought in, in constant memory.

    Raises MovingError where nothing is released, where results lag behind the reports, or where
    another release has come before it was whole.
    """
    release = contents.release
    if release.content is None:
        raise MovingError("There are no results to export.")
    with translation.override(language_of(release.launch)), archive_in(file) as archive:
        writing = _Writing(archive, contents)
        writing.tables()
        writing.parameters()
        writing.results()
        writing.programs()
        writing.descriptions()
    now = release_of(release.launch, release.step)
    if (now.revision, now.digest) != (release.revision, release.digest):
        raise MovingError(MOVING)


@dataclass(slots=True)
class _Writing:
    """A bundle that is being written, with what is in it already."""

    archive: Archive
    contents: Contents
    data: list[DataFile] = field(default_factory=list)
    others: list[File] = field(default_factory=list)

    @property
    def release(self) -> Release:
        return self.contents.release

    def tables(self) -> None:
        """Every table of the page of results, with a codebook of its columns."""
        for export in all_exports():
            if not export.exists(self.release.parameters):
                continue
            if export.of_people and not self.contents.with_rows:
                continue
            if export.name == weighted.NAME and not self._has_weighted():
                continue
            for block in _blocks(export):
                try:
                    self._table(block)
                except NoSuchBlockError:
                    break

    def _has_weighted(self) -> bool:
        """Whether a worker has weighted this release: an earlier one has other numbers."""
        stored = stored_weighted(self.release)
        return bool(stored and stored.content and stored.revision == self.release.revision)

    def _table(self, export: Export) -> None:
        launch = self.release.launch.in_language("")
        table = in_every_language(
            export.table, launch, self.release.step, of_people=export.of_people
        )
        number = count()
        rows = (row for row, _ in zip(table.rows, number, strict=False))
        path = f"data/{export.name}.csv"
        try:
            with self.archive.member(path) as member:
                csv.FORMAT.write(replace(table, rows=self.contents.counted(rows)), member.file)
        finally:
            table.close()
        about = _about(path, table.label, member)
        self.data.append(DataFile(**about, columns=table.columns, rows=next(number)))
        if codebook.FORMAT not in export.formats:
            return
        words = _("%(table)s (types, labels and codes of the columns)") % {"table": table.label}
        with self.archive.member(f"data/{export.name}.codebook.json") as member:
            codebook.FORMAT.write(replace(table, rows=iter(())), member.file)
        self.others.append(File(**_about(f"data/{export.name}.codebook.json", words, member)))

    def parameters(self) -> None:
        """The frozen parameters of every wave as canonical JSON, and the digest of the newest."""
        launch, step = self.release.launch, self.release.step
        own = launch.served_at(step)
        self._bytes("data/parameters.json", _("Frozen parameters"), canonical_json(own.document()))
        for wave in launch.waves():
            if wave.wave != launch.wave:
                words = _("Frozen parameters of wave %(wave)d") % {"wave": wave.wave}
                document = canonical_json(wave.served_at(step).document())
                self._bytes(f"data/parameters-wave-{wave.wave}.json", words, document)
        self._text("digest.txt", _("Digest of the frozen parameters"), f"{own.digest}\n")

    def results(self) -> None:
        """All numbers, the proofs of searched devices, and the analyses of this release."""
        launch, step = self.release.launch, self.release.step
        words = _("Every estimate with full precision")
        self._json("results.json", words, results_file(self.release))
        proofs = certificates_file(launch, step)
        if proofs is not None:
            self._json("certificate.json", _("Proofs of the searched devices"), proofs)
        for fit in self.contents.fits:
            content = read_fit(fit.content)
            if content is None or fit.revision != self.release.revision:
                continue
            for ending, (_type, pieces) in analysis.FILES.items():
                name = f"{analysis.NAME}-{fit.number}"
                words = _("Analysis: %(name)s") % {"name": fit.specification["name"]}
                words = f"{words} ({KINDS_OF_FILES[ending]})"
                self._text(f"analyses/{name}.{ending}", words, "".join(pieces(fit, content)))

    def programs(self) -> None:
        """The programs that compute every estimate again, for those who have the reports."""
        for name, language in PROGRAMS.items() if self.contents.with_rows else ():
            found = finders.find(f"programs/{name}")
            if not isinstance(found, str):
                raise FileNotFoundError(name)
            words = _("Recomputes every estimate, in %(language)s") % {"language": language}
            self._bytes(f"programs/{name}", words, Path(found).read_bytes())

    def descriptions(self) -> None:
        """What describes the rest, the checksums of everything last."""
        study, versions = study_of(self.release), self._versions()
        self._json("versions.json", _("Versions of what computed the numbers"), versions)
        if study.terms is not None:
            self._text("LICENCE.txt", _("Licence of the data"), _terms(study))
        engine = versions[PROGRAM]
        package = datapackage.data_package(study, self.data, self.others)
        self._json(datapackage.PATH, _("Frictionless data package"), package)
        document = croissant.croissant(study, self.data)
        self._json(croissant.PATH, _("Croissant description"), document)
        described = ddi.codebook(study, self.data, self.others, engine)
        self._bytes(ddi.PATH, _("DDI Codebook 2.5"), described)
        files = [*self.data, *self.others]
        rows = self.contents.with_rows
        text = readme.readme(study, files, versions, with_rows=rows)
        self._text(readme.PATH, _("What is in this bundle"), text)
        manifest = crate.crate(study, [*self.data, *self.others], engine)
        self._json(crate.PATH, _("RO-Crate manifest"), manifest)
        sums = sorted((*self.data, *self.others), key=lambda file: file.path)
        lines = "".join(f"{file.sha256}  {file.path}\n" for file in sums)
        self._text(SUMS, _("Checksums of all files"), lines)

    def _versions(self) -> dict[str, str]:
        content = self.release.content
        engine = content.engine if content else ""
        packages = {name: version_of_package(name) for name in PACKAGES}
        return {PROGRAM: engine, "rr_engine": engine, "python": python_version(), **packages}

    def _json(self, path: str, label: str, document: Any) -> None:
        # Python writes a float with the fewest digits that read back as the same number.
        text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
        self._text(path, label, f"{text}\n")

    def _text(self, path: str, label: str, text: str) -> None:
        self._bytes(path, label, text.encode())

    def _bytes(self, path: str, label: str, content: bytes) -> None:
        with self.archive.member(path) as member:
            member.write(content)
        self.others.append(File(**_about(path, label, member)))


def _about(path: str, label: str, member: Member) -> dict[str, Any]:
    return {"path": path, "label": label, "size": member.size, "sha256": member.sha256}


def _blocks(export: Export) -> Iterator[Export]:
    """The tables of an export: of one of several blocks as many as there are."""
    if export.of_block is None:
        yield export
    else:
        yield from (export.block(number) for number in count(1))


def _terms(study: Study) -> str:
    terms = study.terms
    lines = [terms.name, f"SPDX-License-Identifier: {terms.identifier}"] if terms else []
    return "\n".join(
        [study.title, *lines, *([terms.address] if terms and terms.address else []), ""]
    )
