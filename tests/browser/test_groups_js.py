"""Groups in a browser: each module in one exports what its own file exports."""

import pytest
from playwright.sync_api import Page

from config.group_files import current_grouping
from config.groups import PAGE

pytestmark = pytest.mark.browser

# These act on their page as soon as they run.
ACTING = {"pages/respond", "lib/grouped"}
COMPARED = """async ([text, names]) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { modules } = await import(address);
  const files = new Map();
  const fileOf = async (name) => files.set(name, await import(`/static/js/${name}.js`));
  await Promise.all(names.map(fileOf));
  const imported = (name) => files.get(name) ?? {};
  const keys = (it) => Object.keys(it).sort();
  return Object.entries(modules).flatMap(([name, make]) => files.has(name)
    ? [[name, keys(make(imported)), keys(files.get(name))]] : []);
}"""


@pytest.mark.parametrize("name", sorted(current_grouping().groups))
def test_a_module_in_a_group_exports_what_its_file_exports(page: Page, name: str) -> None:
    grouping = current_grouping()
    text = grouping.text(name, {})
    if name == PAGE:
        text = text.replace("grouped.start(", "export const modules = ((_name, all) => all)(")
    # All of them, so that each finds what it imports.
    names = sorted(set(grouping.group_of) - ACTING)
    compared = page.evaluate(COMPARED, [text, names])
    assert {module for module, *_ in compared} == {*grouping.groups[name].modules} - ACTING
    for module, here, there in compared:
        assert here == there, module
