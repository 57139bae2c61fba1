"""Under which name a browser keeps a response: by the digest, and by the path of the site."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

# What stands before the digest, by the address of the page.
PATHS = {
    "/s/health/": "",
    "/s/s/": "",
    "/survey/s/health/": "/survey",
    "/a/b.c/s/health/": "/a/b.c",
    "/s/s/health/": "/s",
    # A link that somebody has mangled finds what was drawn, as the server finds the page.
    "//s//health/": "",
    "/survey//s/health/": "/survey",
    "/%73urvey/s/health/": "/survey",
    # Where no page of a survey is, nothing is kept.
    "/survey/admin/": "",
    "/%/": "",
}
NAMES = """async (paths) => {
  const { nameOf } = await import("/static/js/lib/store.js");
  const before = location.href;
  const named = paths.map((path) => {
    history.replaceState(null, "", location.origin + path);
    return nameOf("sha256:00");
  });
  history.replaceState(null, "", before);
  return named;
}"""


def test_a_response_is_kept_by_digest_and_path(page: Page) -> None:
    named = page.evaluate(NAMES, [*PATHS])
    assert named == [f"candor:{path}sha256:00" for path in PATHS.values()]
