"""Settings of Sphinx for the site; `python -m scripts.documentation` runs it."""

from pathlib import Path

from rr_engine import __version__
from scripts.documentation.colours import variables

project = "Candor"
release = version = __version__
copyright = "Candor developers. Licensed under the Apache License 2.0"
html_title = f"Candor {release}"
language = "en"

extensions = [
    "myst_parser",
    "scripts.documentation.once",
    "sphinx.ext.autodoc",
    "scripts.documentation.typeset",
    "scripts.documentation.linked",
    "scripts.documentation.finished",
]
root_doc = "index"
highlight_language = "none"
# Links to headings are written as a code host names these.
myst_heading_anchors = 6
# What a docstring sets between single backticks is code.
default_role = "literal"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "furo"
templates_path = [str(Path(__file__).with_name("templates"))]
html_static_path = [str(Path(__file__).with_name("static"))]
html_css_files = ["documentation.css"]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_show_sourcelink = False
# From the disk no script may read another page for what stands around the word.
html_show_search_summary = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
_light, _dark = variables()
html_theme_options = {"light_css_variables": _light, "dark_css_variables": _dark}
