"""The axe of these tests finds what the axe that was released finds."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.axe import AXE
from tests.browser.support import ROOT, serving

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

TROUBLES = """<main>
  <p style="color: #999">Pale</p>
  <p style="color: #0008; background: color(display-p3 .9 .9 .9)">Seen through</p>
  <div style="opacity: .4; background: #fffc">Faded <b style="background: #ddd8">twice</b></div>
  <p style="color: #777; text-shadow: 0 0 2px #777">In its shadow</p>
  <p style="background: linear-gradient(#fff, #000)">Nobody knows</p>
  <div style="position: relative; background: #000">Black, in front of
    <span style="position: absolute; inset: 0; background: #fff; mix-blend-mode: multiply">it</span>
  </div>
  <input><button></button><img src="data:,"><a href="#">link</a>
  <ul><p aria-labelledby="nothing" role="nothing">x</p></ul>
  <table><tr><td headers="nowhere">1</td></tr></table>
</main>"""
ALL = "axe.run().then((all) => [all.violations, all.incomplete, all.passes, all.inapplicable])"


def test_it_finds_the_same(new_context):
    page = new_context().new_page()
    with serving(ROOT) as server:
        page.goto(f"{server}/blank")
    page.evaluate("(markup) => { document.body.innerHTML = markup; }", TROUBLES)
    found = []
    for script in (AXE_SCRIPT, AXE):
        page.evaluate(script)
        found.append(page.evaluate(ALL))
        page.evaluate("delete window.axe")
    released, ours = found
    assert ours == released
    violations, unsure = ({rule["id"]: len(rule["nodes"]) for rule in part} for part in ours[:2])
    assert violations["color-contrast"] >= 4
    assert violations.keys() >= {"label", "button-name", "image-alt", "list", "aria-roles"}
    assert unsure["color-contrast"] >= 2
