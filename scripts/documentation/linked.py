"""A part of Sphinx: names in docstrings lead to where they are documented.

Docstrings name a function as their module knows it; the public one stands in the module of its
task.
"""

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from scripts.documentation.reference import homes


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    if node.get("refdomain") != "py":
        return None
    *_, owner, name = ["", *node["reftarget"].split(".")]
    known = homes()
    target = known.get(name) or (f"{known[owner]}.{name}" if owner in known else None)
    if target is None or target == node["reftarget"]:
        return None
    domain = env.domains.python_domain
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, content)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("missing-reference", resolve)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
