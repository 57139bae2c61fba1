"""A part of Sphinx: formulas of the methods as MathML, and what a page is made of."""

import re
from pathlib import Path
from typing import Any
from zlib import crc32

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from scripts.documentation.mathematics import NoFormulaError, mathml
from scripts.documentation.reference import homes

LOG = logging.getLogger(__name__)
# Where what is indented is a formula, and what stands in a sentence may be one.
FOLDERS = ("methods/", "papers/")
# Wider than a phone, they scroll by themselves; without a mouse only what has the focus scrolls.
_SCROLLS = re.compile(r'<pre>|<div class="table-wrapper[^"]*"')


def typeset(app: Sphinx, tree: nodes.document) -> None:
    """Put MathML in the place of what is a formula."""
    if not app.env.docname.startswith(FOLDERS):
        return
    for block in list(tree.findall(nodes.literal_block)):
        if block.get("language", "default") not in ("default", "none"):
            continue
        try:
            formula = display(block.astext())
        except NoFormulaError as error:
            LOG.warning(
                "no formula, and no language says what else it is: %s", error, location=block
            )
            continue
        block.replace_self(nodes.raw("", formula, format="html"))
    names = homes()
    for literal in list(tree.findall(nodes.literal)):
        # A heading stands in lists of contents, too, and `k_rr` is a function.
        if isinstance(literal.parent, nodes.title) or literal.astext() in names:
            continue
        try:
            formula = mathml(literal.astext())
        except NoFormulaError:
            continue
        literal.replace_self(nodes.raw("", formula, format="html"))


def display(text: str) -> str:
    """Lines of formulas, one below the other.

    Raises
    ------
    NoFormulaError
        A line that is none: a program is marked by its language.
    """
    lines = (line.strip() for line in text.splitlines() if line.strip())
    rows = "".join(f"<div>{mathml(line, display=True)}</div>" for line in lines)
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{rows}</div>'


def reachable(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], tree: Any
) -> None:
    """Give what scrolls a place in the order of the keys."""
    if "body" in context:
        body = _SCROLLS.sub(_with_focus, context["body"])
        # The name of a module may go on below after its dot.
        context["body"] = body.replace("<h1>rr_engine.", "<h1>rr_engine.<wbr>")


def with_own_section(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], tree: Any
) -> None:
    """Of folders with many pages list only the one in which the page stands.

    All of them beside each page would take half the time of the build, and hide what is near.
    """
    contents = context["toctree"]
    context["toctree"] = lambda **options: contents(**{**options, "collapse": True})


def _with_focus(match: re.Match[str]) -> str:
    return f'{match.group().removesuffix(">")} tabindex="0"{">" * match.group().endswith(">")}'


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", typeset)
    app.connect("html-page-context", reachable)
    # Before the theme asks for it.
    app.connect("html-page-context", with_own_section, priority=100)
    # Pages are read anew when what reads them has changed.
    code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    parallel = {"parallel_read_safe": True, "parallel_write_safe": True}
    return {"version": "1", "env_version": crc32(code), **parallel}
