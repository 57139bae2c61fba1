"""The rules of the rooms have no hole: on a small app of its own, each way round them is seen."""

import pytest

from tests.app.layers import complaints, modules_of, python_files
from tests.app.test_architecture import APP_LAYERS

VIEWS, ADMIN = "views/results.py", "admin/site.py"
FINE = {
    "__init__.py": '"""The app."""',
    VIEWS: "from surveys import numbers",
    ADMIN: "from surveys.views.results import results",
    "forms/shares.py": "import surveys.numbers",
    "numbers.py": "import decimal",
}
# The text of a file, and the expected complaint.
BROKEN = {
    "a module without a place": (
        "searched.py",
        "from surveys.views import results",
        "searched has no place in the layers",
    ),
    "a module without a place that imports nothing": (
        "searched.py",
        "",
        "searched has no place in the layers",
    ),
    "a room without a place": (
        "rosters/lists.py",
        "from surveys.views import results",
        "rosters has no place in the layers",
    ),
    "a form that imports the admin": (
        "forms/shares.py",
        "from surveys.admin.site import site",
        "shares.py imports surveys.admin.site",
    ),
    "the admin as a whole": (
        "forms/shares.py",
        "from surveys import admin",
        "shares.py imports surveys.admin",
    ),
    "the admin by a relative import": (
        "forms/shares.py",
        "from ..admin.site import site",
        "shares.py imports surveys.admin.site",
    ),
    "the admin by a relative import of the package": (
        "forms/shares.py",
        "from .. import admin",
        "shares.py imports surveys.admin",
    ),
    "the admin inside of a function": (
        "forms/shares.py",
        "def late():\n    import surveys.admin.site",
        "shares.py imports surveys.admin.site",
    ),
    "the admin by its name": (
        "forms/shares.py",
        "import importlib\nimportlib.import_module('surveys.admin')",
        "shares.py hides an import: import_module",
    ),
    "a room beside it": (
        "numbers.py",
        "from surveys.people import name",
        "numbers.py imports surveys.people",
    ),
    "the front of the app": (
        "__init__.py",
        "from surveys.numbers import count",
        "__init__.py imports surveys.numbers",
    ),
}


@pytest.fixture
def app(tmp_path):
    """Write files of an app called surveys; returns the complaints about each."""

    def said_of(files):
        for name, text in {"people.py": "", **files}.items():
            path = tmp_path / "surveys" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        package = tmp_path / "surveys"
        sentences = {path: complaints(path, package, APP_LAYERS) for path in python_files(package)}
        return {
            str(path.relative_to(package)): complaint
            for path, complaint in sentences.items()
            if complaint
        }

    return said_of


def test_an_app_that_keeps_the_rules_passes(app):
    assert app(FINE) == {}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_each_way_round_them_is_seen(app, case):
    name, text, sentence = BROKEN[case]
    assert sentence in app({**FINE, name: text})[name]


def test_an_import_from_a_room_without_a_place_is_seen(app):
    complaint = app({**FINE, "searched.py": "", "forms/shares.py": "from surveys import searched"})
    assert complaint["forms/shares.py"] == [
        "shares.py imports surveys.searched, which has no place in the layers"
    ]


def test_a_package_is_named_only_where_none_of_its_modules_is(tmp_path):
    path = tmp_path / "engine" / "one.py"
    path.parent.mkdir()
    path.write_text("from . import two\nfrom engine import Design\nimport engine.three")
    names = {"engine", "engine.two", "engine.three"}
    assert modules_of(path, tmp_path / "engine", names) == names
    path.write_text("if TYPE_CHECKING:\n    import engine.three\nfrom engine import two")
    assert modules_of(path, tmp_path / "engine", names) == {"engine.two"}
