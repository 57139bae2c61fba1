"""Plotly.js as the strict policy lets it run; a newer version has to pass here first."""

import re

from django.contrib.staticfiles import finders

from surveys.reports.plotly_files import NAME, STYLE_IDS, plotly_script


def test_the_library_of_the_installed_package_is_served():
    found = finders.find(NAME)
    assert found.endswith("plotly/package_data/plotly.min.js")
    assert "plotly/widgetbundle.js" not in {
        f"plotly/{path}" for finder in finders.get_finders() for path, _ in finder.list([])
    }


def test_every_style_element_of_the_bundle_is_switched_off():
    """It makes one where no element has a certain id: ours are in the page's head."""
    script = plotly_script()
    made = len(re.findall(r'createElement\("style"\)', script))
    assert made == len(STYLE_IDS) == 2
    assert '"plotly.js-style-"+' in script
    assert f'getElementById("{STYLE_IDS[1]}")' in script
