"""The supervisor is killed: all that it has started ends, so that a new start finds nothing.

The last of the tests on its stack, which has no next start: what is in flight is not lost at such
an end, as test_faults.py shows where all is killed at once.
"""

import pytest

from tests.system.conftest import Stacks
from tests.system.stack import Stack

pytestmark = pytest.mark.system


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_everything_ends_with_the_supervisor(stack: Stack, stacks: Stacks) -> None:
    words = stack.end_by(stack.supervisor().kill)
    assert words == "candor: The supervisor has ended, and everything with it.\n"
    assert stack.parent.returncode == 1
    stacks.end("sqlite")
