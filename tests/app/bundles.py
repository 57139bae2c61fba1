"""Bundles of released surveys, written and unpacked."""

import io
from pathlib import Path
from zipfile import ZipFile

from surveys.results.release import release_of
from surveys.services.bundles import write_bundle_of

ROOT = Path(__file__).resolve().parents[2]


def bundle_of(launch, step=0, *, with_rows=True):
    """Return the bytes of the zip."""
    file = io.BytesIO()
    write_bundle_of(release_of(launch, step), file, with_rows=with_rows)
    return file.getvalue()


def opened(content):
    return ZipFile(io.BytesIO(content))


def unpacked(content, folder):
    with opened(content) as archive:
        archive.extractall(folder)
    return folder
