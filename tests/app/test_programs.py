"""A program that runs in a fork of a process with the engine runs as it does alone."""

import subprocess

import pytest

from tests.app.programs import run_python, run_with_engine


def test_it_gets_its_words_and_nothing_of_candor_but_the_engine():
    program = """
import rr_engine, sys
print(sys.argv, "surveys" in sys.modules, "django" in sys.modules, "numpy" in sys.modules)
print("ü")
"""
    first, second = run_python(program, "a b", 7).splitlines()
    assert first == "['-c', 'a b', '7'] False False True"
    assert second == "ü"


def test_one_leaves_nothing_to_the_next():
    leaving = "import rr_engine; left = rr_engine.left = 1; print(left)"
    assert run_python(leaving) == "1\n"
    finding = "import rr_engine; print('left' in globals(), hasattr(rr_engine, 'left'), end='')"
    assert run_python(finding) == "False False"


@pytest.mark.parametrize("start", ["import rr_engine", "import json"])
def test_what_fails_says_so_and_ends_nothing_else(start):
    with pytest.raises(subprocess.CalledProcessError) as error:
        run_python(f"{start}\nprint(1)\nnumpy")
    assert error.value.output == "1\n"
    assert "NameError: name 'numpy' is not defined" in error.value.stderr
    assert run_python(f"{start}\nprint(2)") == "2\n"


@pytest.mark.parametrize(
    ("end", "status", "errors"),
    [("", 0, ""), ("sys.exit()", 0, ""), ("sys.exit(3)", 3, ""), ("sys.exit('no')", 1, "no\n")],
)
def test_it_ends_with_the_status_that_it_says_where_its_folder_is(tmp_path, end, status, errors):
    tmp_path.joinpath("beside.py").write_text("name = 'beside'")
    program = f"import beside, os, sys\nprint(beside.name, dict(os.environ))\n{end}"
    done = run_with_engine(program, folder=tmp_path, environment={"A": "b"})
    assert (done.returncode, done.stderr) == (status, errors)
    assert done.stdout == "beside {'A': 'b'}\n"
