"""What a reader of a bundle reads first: what is in it, and how every number is computed again."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from surveys.exports.metadata.study import File, Study

PATH = "README.md"


def readme(
    study: Study, files: Sequence[File], *, with_rows: bool, versions: dict[str, Any]
) -> str:
    """Return the text, in the language of the survey's files."""
    context = {
        "study": study,
        "files": files,
        "with_rows": with_rows,
        "versions": versions,
        "recomputes": any(file.path.startswith("programs/") for file in files),
    }
    with translation.override(study.texts_in):
        return render_to_string("surveys/results/bundle_readme.html", context)
