"""Which tests stay together when pytest-xdist spreads them over processes.

`--dist loadgroup` reads marks for this, and with pytest 9.2 it no longer sees them (pytest-dev/
pytest-xdist issue 1386); nothing fails, and every process starts a stack of its own. So we name the
groups here, by the hook that pytest-xdist has for it.
"""

import re

from xdist.scheduler import LoadScopeScheduling

# The stack on either database is shared by all tests on it, and started once.
_DATABASE = re.compile(r"^tests/system/.*[\[-](sqlite|postgresql)[-\]]")
# One Firefox is started, and has a context for each test.
_FIREFOX = re.compile(r"^tests/browser/.*[\[-](firefox)[-\]]")
# Files that share what takes long to make (a copy of the tree, a database), and long ways through
# the product. They wait more than they compute: one after the other in a few processes, from the
# start, they leave the processors to the tests in browsers. All at once they would wait, and nobody
# would compute; at the end they would be alone.
LANES = (
    ("sqlite",),
    ("postgresql",),
    # Databases, brokers and a stack of their own, which would only wait for the one on PostgreSQL.
    ("tests/system/test_jobs.py", "tests/system/test_seen.py"),
    (
        "tests/system/test_make_run.py",
        "tests/system/test_leftovers.py",
        "tests/system/test_operating.py",
    ),
    ("firefox",),
    # The wheel is installed into environments that all of its tests share.
    ("tests/package/test_wheel.py",),
    # A stack with the demo surveys, behind two nginx.
    ("tests/system/test_behind_nginx.py",),
    # A stack of their own, whose database is behind a pooler.
    ("tests/system/test_pooled.py",),
    # One builds the site of documentation, for all.
    ("tests/documentation/test_site.py",),
)
WHOLE_FILES = tuple(name for lane in LANES for name in lane if name.startswith("tests/"))


def group_of(nodeid: str) -> str:
    """A test's group; most are alone, and go to whichever process is free."""
    if nodeid.startswith(WHOLE_FILES):
        return _lane_of(nodeid.partition("::")[0])
    found = _DATABASE.match(nodeid) or _FIREFOX.match(nodeid)
    return _lane_of(found.group(1)) if found else nodeid


def _lane_of(group: str) -> str:
    return next(lane for lane in LANES if group in lane)[0]


class InGroups(LoadScopeScheduling):
    """Large groups first, so that none is left for the end."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
