"""What a reader of a bundle reads first: what is in it, and how every number is computed again."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from surveys.exports.metadata.study import File, Study
from surveys.results.regression.program import files_of

PATH = "README.md"
RECOMPUTE = "    python programs/recompute.py data\n    Rscript programs/recompute.R data"
CHECK = "    sha256sum --check SHA256SUMS"


def readme(
    study: Study, files: Sequence[File], versions: Mapping[str, str], *, with_rows: bool
) -> str:
    """Return the text in Markdown, in the active language."""
    return "\n\n".join(_paragraphs(study, files, versions, with_rows=with_rows)) + "\n"


def _paragraphs(
    study: Study, files: Sequence[File], versions: Mapping[str, str], *, with_rows: bool
) -> Iterator[str]:
    yield f"# {study.title}"
    words = _(
        "Replication bundle: everything that is needed to compute the published numbers of this "
        "survey again. It is of one release, with %(responses)s responses; the digest of the "
        "frozen parameters is %(digest)s."
    )
    yield words % {"responses": study.responses, "digest": study.digest}
    yield _reports(with_rows=with_rows)
    yield f"## {_('Licence')}"
    yield _terms(study)
    if study.contact:
        yield f"{_('Contact')}: {study.contact}"
    if with_rows:
        yield from _recomputing()
        yield from _analyses(files, study.wave)
    yield f"## {_('Checking the files')}"
    yield CHECK
    yield _(
        "The digest is the SHA-256 of data/parameters.json without its keys “digest” and "
        "“translations”, as canonical JSON (RFC 8785), which that file is already."
    )
    yield f"## {_('Files')}"
    yield "\n".join(f"- `{file.path}`: {file.label}" for file in files)
    yield f"## {_('Versions')}"
    yield "\n".join(f"- {name} {version}" for name, version in versions.items())


def _reports(*, with_rows: bool) -> str:
    if with_rows:
        return _(
            "The reports are in data/reports.csv. Answers to sensitive questions were scrambled in "
            "the browsers of those who gave them: a report is no answer, and only shares of many "
            "people can be estimated."
        )
    return _(
        "This bundle has no reports: they are for the author of the survey and the people whom "
        "they name. Without them the estimates cannot be computed again from the beginning."
    )


def _terms(study: Study) -> str:
    terms = study.terms
    if terms is None:
        return _("No licence is stated: ask the author what may be done with the data.")
    named = f"{terms.name} ({terms.identifier})"
    return f"{named}: {terms.address}" if terms.address else named


def _recomputing() -> Iterator[str]:
    yield f"## {_('Computing every estimate again')}"
    yield RECOMPUTE
    yield _(
        "The first needs Python 3.11 and NumPy, the second R and its package jsonlite. Each reads "
        "the reports and the parameters, computes every estimate and standard error from the "
        "integers of the devices, and says how far each is from the published one. Differences up "
        "to 1e-9, and a millionth of the number, are rounding. Nothing of Candor has to be "
        "installed; with its library rr_engine the program in Python computes the intervals of "
        "shares and the shares of short texts too, which the one in R leaves out and counts."
    )


def _analyses(files: Sequence[File], wave: int) -> Iterator[str]:
    programs = [file.path for file in files if file.path.startswith("analyses/")]
    programs = [path for path in programs if path.endswith(".py")]
    if programs:
        yield _(
            "Each analysis has a program of its own, which needs the library rr_engine and prints "
            "every coefficient with its standard error:"
        )
        yield "\n".join(f"    python {path} {files_of(wave, 'data/')}" for path in programs)
