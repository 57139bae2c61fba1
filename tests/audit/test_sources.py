"""No code between respondent and storage uses randomness other than the system's."""

from pathlib import Path

import pytest

from tests.audit.sources import (
    code_of,
    imported_scripts,
    reaches_outside,
    weak_randomness_in_python,
    weak_randomness_in_script,
)
from tests.browser.support import ROOT

SCRIPTS = ROOT / "static" / "js"
PURE = SCRIPTS / "rr"
ENTRY = SCRIPTS / "pages" / "respond.js"
# Simulated respondents, for the author's test fill and the demo; nobody's answer passes here.
GIVEN = ("surveys/kinds/", "surveys/authoring/planning/simulated_")
SIMULATION = (
    "surveys/authoring/planning/simulation.py",
    "surveys/management/candor/",
    "surveys/features/roster/demo.py",
)


def scripts() -> list[Path]:
    return sorted(SCRIPTS.rglob("*.js"))


def server_modules() -> list[Path]:
    return [
        path
        for folder in ("surveys", "config")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(SIMULATION)
    ]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_script_draws_from_anything_but_the_systems_generator() -> None:
    assert len(scripts()) > 6
    assert {name(p): weak_randomness_in_script(p.read_text()) for p in scripts()} == {
        name(p): [] for p in scripts()
    }


def test_no_template_brings_randomness_of_its_own() -> None:
    pages = sorted((ROOT / "templates").rglob("*.html"))
    assert [name(p) for p in pages if "Math.random" in p.read_text()] == []
    assert [name(p) for p in pages if "|random" in p.read_text().replace(" ", "")] == []


def test_everything_the_respondents_page_loads_is_among_the_scripts_read() -> None:
    loaded = imported_scripts(ENTRY, ROOT)
    assert {PURE / "device.js", PURE / "random.js", PURE / "wire.js"} <= loaded
    assert loaded <= set(scripts())


def test_the_systems_generator_is_asked_in_one_place() -> None:
    asking = [name(p) for p in scripts() if "getRandomValues" in code_of(p)]
    assert asking == ["static/js/rr/random.js"]
    assert [name(p) for p in scripts() if "randomUUID" in code_of(p)] == []


@pytest.mark.parametrize("path", sorted(PURE.glob("*.js")), ids=lambda path: path.name)
def test_the_device_touches_neither_page_nor_network_nor_storage(path: Path) -> None:
    assert reaches_outside(code_of(path)) == []
    assert {script.parent for script in imported_scripts(path, ROOT)} == {PURE}


def test_the_server_side_of_a_response_draws_from_the_system_only() -> None:
    read = server_modules()
    rooms = {path.parent.name for path in read}
    assert {"responses", "views", "services", "parameters"} <= rooms
    names_by_file = {name(path): weak_randomness_in_python(path.read_text()) for path in read}
    # A kind draws simulated answers from a generator that it is given, and so do simulated groups
    # and networks: they name the type and make none, so nothing of it can be behind a response.
    allowed = {"numpy.random", "numpy.random.Generator"}
    made = {
        path: set(uses) - (allowed if path.startswith(GIVEN) else set())
        for path, uses in names_by_file.items()
    }
    assert {path: uses for path, uses in made.items() if uses} == {}


@pytest.mark.parametrize(
    "script",
    [
        "const r = Math.random();",
        "const r = Math . random()",
        "Math['random']()",
        "Math?.random()",
        "const { random } = Math;",
        "const m = Math; m.random()",
        "Math[name]()",
    ],
)
def test_the_scan_sees_every_way_to_math_random(script: str) -> None:
    assert weak_randomness_in_script(script)


@pytest.mark.parametrize(
    "module",
    [
        "import random",
        "import random as dice\ndice.random()",
        "from random import choice",
        "import numpy as np\nnp.random.default_rng()",
        "from numpy import random",
        "from numpy.random import default_rng",
        "import numpy.random",
        "def f():\n    import random\n",
    ],
)
def test_the_scan_sees_every_way_to_pythons_generators(module: str) -> None:
    assert weak_randomness_in_python(module)


@pytest.mark.parametrize(
    "module",
    [
        "import secrets\nsecrets.SystemRandom().sample([1], 1)",
        "import os\nos.urandom(8)",
        "import numpy as np\nnp.log(2)",
        "from django.utils.crypto import get_random_string",
    ],
)
def test_the_scan_lets_the_systems_generator_pass(module: str) -> None:
    assert weak_randomness_in_python(module) == []


@pytest.mark.parametrize(
    "script",
    ["fetch('/x')", "window.name = 1", "localStorage.x", "document.cookie", "console.log(1)"],
)
def test_the_scan_sees_a_module_reach_outside(script: str) -> None:
    assert reaches_outside(script)
