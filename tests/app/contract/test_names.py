"""The name of a device or a kind occurs only in its own module and its registry."""

import ast
import re
from pathlib import Path

import pytest

from surveys.devices import FAMILIES
from surveys.devices.physical.registry import PHYSICAL_DEVICES, PHYSICAL_FAMILIES
from surveys.devices.registry import setting_fields
from surveys.kinds import KINDS
from surveys.parameters import Device
from tests.app.layers import python_files, room_of

ROOT = Path(__file__).resolve().parents[3]
SURVEYS = ROOT / "surveys"
# The modules in which the names may occur.
HOMES = {"devices", "kinds"}
# The demo surveys, and the defaults of the database.
DEMOS = {SURVEYS / f"features/{name}/demo.py" for name in ("languages", "return_codes", "roster")}
EXAMPLES = {*DEMOS, SURVEYS / "models/question.py"}
# The files about pages, in which a word below is a control or a look.
PAGES = {
    "surveys/parameters/document.py",
    *("static/js/lib/checks.js", "static/js/rr/wire.js", "static/js/rr/rules.js"),
    *(f"static/js/ui/{name}.js" for name in ("cards", "explain", "parts", "question")),
    "templates/admin/surveys/survey/frozen_questions.html",
    "templates/surveys/results/_device.html",
    # About the controls of questions that may be grouped.
    *("surveys/parameters/joint.py", "static/js/rr/joint.js"),
    # About the control of control items.
    *("surveys/features/control_items/section.py", "static/js/features/control_items/rules.js"),
    # About the scale of a number.
    *("surveys/forms/fields/device.py", "surveys/forms/fields/scale.py", "surveys/views/parts.py"),
    *("static/js/rr/scale.js", "static/js/rr/rules.js"),
}
# Controls and looks of the document, some of which are names of kinds as well.
OF_THE_PAGE = {kind.control for kind in KINDS.values()} | {
    family.look for family in FAMILIES.values()
}
SOURCES = [
    *(path for path in python_files(SURVEYS) if room_of(path, SURVEYS) not in HOMES),
    *(ROOT / "templates").rglob("*.html"),
    *(ROOT / "static/js").rglob("*.js"),
    *(ROOT / "static/css").rglob("*.css"),
]


# A setting that is served has the name of its field in the document.
OF_THE_DOCUMENT = set(Device.__struct_fields__)


def names():
    settings = setting_fields().keys() - OF_THE_DOCUMENT
    return {*FAMILIES, *PHYSICAL_DEVICES, *PHYSICAL_FAMILIES, *KINDS, *settings}


def texts_of(path):
    """The string literals of a source file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        nodes = ast.walk(ast.parse(text))
        return {node.value for node in nodes if isinstance(node, ast.Constant)}
    return set(re.findall(r"""["'`](\w+)["'`]""", text))


def names_in(path):
    """The names in the texts of a file, without the words that pages share with them."""
    shared = OF_THE_PAGE if path.relative_to(ROOT).as_posix() in PAGES else set()
    return texts_of(path) & names() - shared


@pytest.mark.slow
def test_no_other_file_knows_a_name():
    sources = [path for path in SOURCES if path not in EXAMPLES]
    occurring = {str(path.relative_to(ROOT)): names_in(path) for path in sources}
    assert len(occurring) > 300
    assert {file: names for file, names in occurring.items() if names} == {}


def test_every_file_about_pages_needs_its_exception():
    assert {name for name in PAGES if not texts_of(ROOT / name) & names() & OF_THE_PAGE} == set()


def test_no_style_is_for_one_device():
    """Some rows of a comparison are higher than others, whichever device they are about."""
    files = [path.name for path in SOURCES if "data-row=" in path.read_text(encoding="utf-8")]
    assert files == ["devices.html"]


def test_a_name_in_a_text_of_its_own_is_seen(tmp_path):
    path = tmp_path / "one.py"
    path.write_text('"""Of a k_rr device."""\nis_usual = name == "k_rr"\n', encoding="utf-8")
    assert texts_of(path) & names() == {"k_rr"}
