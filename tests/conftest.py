"""Fixtures for every suite."""

import os

# Before Django reads its settings: tests run as production does, over plain http on localhost.
os.environ.setdefault("CANDOR_SECRET_KEY", "tests only: not a secret, but long enough to be one")
os.environ.setdefault("CANDOR_PLAIN_HTTP", "1")
