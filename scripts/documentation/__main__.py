"""Build the site of documentation from docs/: `python -m scripts.documentation FOLDER`.

Warnings are errors, a link that leads nowhere among them. A second run builds what has changed.
"""

import argparse
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from scripts.documentation import pages, reference


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.documentation", description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--jobs", default="auto", help="how many processes read and write pages")
    chosen = parser.parse_args()
    kept = chosen.folder.with_name(f"{chosen.folder.name}.sources")
    pages.stage(kept / "pages")
    reference.stage(kept / "pages")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", chosen.jobs]
    folders = ["--doctree-dir", kept / "read", "--conf-dir", Path(__file__).parent]
    failed = sphinx([*options, *map(str, [*folders, kept / "pages", chosen.folder])])
    if not failed:
        sys.stdout.write(f"Open {chosen.folder / 'index.html'}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
