"""The types of the scripts are real: a mistake in one of them fails the lint."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DENO = Path(sys.executable).with_name("deno")

# File, the correct text, the mistake, and the message of the checker.
MISTAKES = [
    ("rr/random.js", "= take(count, randomBytes)", "= take(randomBytes, count)", "not assignable"),
    ("lib/session.js", 'const { body = "" }', 'const { sealed = "" }', "'sealed' does not exist"),
    ("lib/store.js", "lasting: () => false,", "lasting: () => 0,", "not assignable"),
    ("ui/parts.js", 'import("./weak.js")', 'import("./rare.js")', "'levelOf' does not exist"),
    ("admin/editor/sheet.js", "answer.notes", "answer.words", "'words' does not exist"),
    (
        "results/table.js",
        "/** @param {string} text */\nconst escapeFormula",
        "const escapeFormula",
        "'any'",
    ),
]


@pytest.mark.slow
@pytest.mark.any_database
def test_the_checker_finds_each_mistake(tmp_path):
    """In a copy of the scripts; that it finds nothing in the scripts as they are is the lint's."""
    static = shutil.copytree(ROOT / "static/js", tmp_path / "static/js")
    shutil.copytree(ROOT / "static/types", tmp_path / "static/types")
    shutil.copy(ROOT / "deno.json", tmp_path)
    for name, right, wrong, _message in MISTAKES:
        text = (static / name).read_text()
        assert text.count(right) == 1
        (static / name).write_text(text.replace(right, wrong))
    errors = type_errors(tmp_path)
    for name, _right, _wrong, message in MISTAKES:
        assert any(f"/{name}:" in part and message in part for part in errors.split("\nTS")), name


def type_errors(folder: Path) -> str:
    environment = os.environ | {"DENO_DIR": str(folder / "cache"), "NO_COLOR": "1"}
    command = [DENO, "check", "--quiet", "static/js"]
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (run.returncode == 0) == (run.stderr == "")
    return run.stderr
