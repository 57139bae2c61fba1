"""What production serves is what `manage.py candor scripts` makes from the source."""

import subprocess
import sys

import pytest

from tests.system.answering_process import ROOT
from tests.system.stack import plain_environment

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_the_scripts_of_a_site_follow_from_the_source(stack):
    done = subprocess.run(
        [sys.executable, "manage.py", "candor", "scripts", "--at", stack.url],
        cwd=ROOT,
        env=plain_environment(CANDOR_DEBUG="1", DATABASE_URL="sqlite://:memory:"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) > 40
    assert all(line.startswith("the same ") for line in lines)
