"""A part of Sphinx: what numpydoc and the search would make anew for every docstring and page."""

from functools import cache
from typing import Any

import numpydoc.numpydoc
from jinja2 import BaseLoader, FileSystemLoader, Template
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape
from numpydoc.docscrape_sphinx import SphinxClassDoc, SphinxFunctionDoc, SphinxObjDoc
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.search.en import SearchEnglish

TEMPLATES = f"{next(iter(numpydoc.__path__))}/templates"


class English(SearchEnglish):
    """Most words of a page are words of others, too: Sphinx keeps the stems of one page."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)  # type: ignore[method-assign]


@cache
def template_of(builder: Builder | None) -> Template:
    """The template of a docstring, which numpydoc compiles for each of them."""
    loader: BaseLoader = FileSystemLoader(TEMPLATES)
    if builder is not None:
        loader = BuiltinTemplateLoader()
        loader.init(builder, dirs=[TEMPLATES])
    return SandboxedEnvironment(loader=loader).get_template("numpydoc_docstring.rst")


def docstring(
    obj: Any,
    what: str | None = None,
    doc: Any = None,
    config: dict[str, Any] | None = None,
    builder: Builder | None = None,
) -> Any:
    """As `numpydoc.docscrape_sphinx.get_doc_object`."""
    return docscrape.get_doc_object(
        obj,
        what=what,
        doc=doc,
        config={**(config or {}), "template": template_of(builder)},
        class_doc=SphinxClassDoc,
        func_doc=SphinxFunctionDoc,
        obj_doc=SphinxObjDoc,
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_search_language(English)
    return numpydoc.numpydoc.setup(app, get_doc_object_=docstring)
