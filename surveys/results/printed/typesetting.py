"""Setting a printed summary by Typst: a tagged PDF after PDF/UA-1, or a refusal."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).with_name("summary.typ")
# Typst keeps what it has set in its last ten runs, for texts that change a little from one to the
# next: some fifteen megabytes of each summary. Runs of an empty text let it forget that.
REMEMBERED_RUNS = 10


class NoFontError(Exception):
    """A text has characters of which no font of this machine has a picture."""


def pdf_of(content: dict[str, Any], moment: datetime) -> bytes:
    """Return the PDF. Texts are passed as data, so that nothing in them is markup.

    Raises NoFontError rather than to print a box in the place of a character, which is lost to
    whoever reads, searches or copies.
    """
    # Eighty megabytes of a library that only workers need.
    import typst

    try:
        return typst.compile(
            TEMPLATE.read_bytes(),
            sys_inputs={"content": json.dumps(content, ensure_ascii=False, allow_nan=False)},
            pdf_standards="ua-1",
            timestamp=moment.replace(microsecond=0),
        )
    except typst.TypstError as error:
        if "could not be displayed" in error.message:
            raise NoFontError(error.message) from error
        raise
    finally:
        for _ in range(REMEMBERED_RUNS + 1):
            typst.compile(b"", ignore_system_fonts=True)
