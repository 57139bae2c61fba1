"""What reaches the build, and what of it stays in the image.

That it is enough, read only and without rights, test_operating.py finds out: it runs the parts on a
copy of it. `make image-replay` builds the image itself.
"""

import json
import re
import sys

from config.stack.healthy import main as healthy
from tests.deploy.image import dockerfile, kept, seen
from tests.deploy.support import ROOT, composition, pods, run


def test_the_build_sees_what_it_copies_and_nothing_else():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == set(seen())
    assert all((ROOT / name).exists() for name in seen())
    assert {"config", "manage.py", "surveys", "LICENSE"} <= set(kept())
    assert not [name for name in kept() if name.startswith(("requirements", "scripts", "tests"))]


def test_one_user_without_rights_runs_it_everywhere():
    users = re.findall(r"^USER (\d+):(\d+)$", dockerfile(), re.MULTILINE)
    assert users == [("10001", "10001")]
    for spec in pods().values():
        context = spec["template"]["spec"]["securityContext"]
        assert {str(context[name]) for name in ("runAsUser", "runAsGroup", "fsGroup")} == {"10001"}
    assert re.search(r"FROM \$\{PYTHON\} AS build", dockerfile())
    assert re.search(r"^ARG PYTHON=python:3\.11\.\d+-slim-\w+$", dockerfile(), re.MULTILINE)
    assert "--require-hashes" in dockerfile()
    assert "--only-binary :all:" in dockerfile()
    # Whoever asks after the health of the image asks by this program.
    command = json.loads(re.search(r"^ +CMD (\[.*healthy.*\])$", dockerfile(), re.MULTILINE)[1])
    assert composition()["services"]["web"]["healthcheck"]["test"] == ["CMD", *command]


def test_whoever_does_not_answer_is_not_healthy(capsys):
    assert healthy(["http://127.0.0.1:1/healthz"]) == 1
    assert "no answer" in capsys.readouterr().out


def test_an_unknown_part_is_one_line_and_a_list():
    done = run(sys.executable, "-m", "config.stack.part", cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.startswith("candor: Name a part of Candor; there are\n  web  ")
