"""Plotly.js as the strict policy lets it run; a newer version has to pass here first."""

import hashlib
import re

from django.contrib.staticfiles import finders
from plotly.offline import get_plotlyjs_version

from surveys.results.figures.plotly_files import CONFIG, NAME, STYLE_IDS, plotly_script

# The digest of the file on npm; how to renew both: docs/decisions/0024-part-of-plotly.md.
PUBLISHED = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"


def test_it_is_the_published_file_of_the_version_that_the_package_draws_for():
    script = plotly_script()
    assert f"plotly.js (cartesian - minified) v{get_plotlyjs_version()}\n" in script[:200]
    assert hashlib.sha256(script.encode()).hexdigest() == PUBLISHED


def test_no_other_file_of_plotly_is_served():
    assert finders.find(NAME)
    paths = {path for finder in finders.get_finders() for path, _ in finder.list([])}
    assert {path for path in paths if "plotly" in path} == {NAME, "plotly/LICENSE"}


def test_every_address_that_it_would_ask_by_itself_is_switched_off():
    """The policy refuses them besides. Other addresses in it are of licences, namespaces and its
    logo, which is not drawn.
    """
    setting = r'(\w+):\{valType:"string",(?:noBlank:!0,)?dflt:"https?:'
    settings = set(re.findall(setting, plotly_script()))
    assert settings == {"plotlyServerURL", "topojsonURL"}
    assert all("//" not in CONFIG[name] for name in settings)
    assert (CONFIG["showSendToCloud"], CONFIG["displaylogo"]) == (False, False)


def test_every_style_element_of_the_bundle_is_switched_off():
    """It makes one where no element has a certain id: ours are in the page's head."""
    script = plotly_script()
    made = len(re.findall(r'createElement\("style"\)', script))
    assert made == len(STYLE_IDS) == 2
    assert '"plotly.js-style-"+' in script
    assert f'getElementById("{STYLE_IDS[1]}")' in script
