"""Settings of the test suites: production's, over plain http on localhost, and quick."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.surroundings import settle_environment

settle_environment()
os.environ["CANDOR_SECRET_KEY"] = "tests only: not a secret, but long enough to be one"
os.environ["CANDOR_PLAIN_HTTP"] = "1"
# One port that nobody listens on: without a broker of its own a test must not find another's.
os.environ["REDIS_URL"] = "redis://127.0.0.1:1/0"

from config.settings import *  # noqa: E402, F403

FOLDER = Path(tempfile.mkdtemp(prefix="candor-tests-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

if DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":  # noqa: F405
    # A file, not memory: the live server's threads must have connections of their own, as in
    # production. Nothing of it has to survive a power cut.
    DATABASES["default"]["TEST"] = {  # noqa: F405
        "NAME": FOLDER / "candor.sqlite3"
    }
    OPTIONS = DATABASES["default"]["OPTIONS"]  # noqa: F405
    OPTIONS["init_command"] = OPTIONS["init_command"].replace("synchronous=FULL", "synchronous=OFF")

# Django's test client and live server have names of their own; tests/app/test_canonical_host.py
# sets one.
CANONICAL_HOST = ""
# The tests' addresses are all one machine; tests/app/test_throttle.py sets this back.
THROTTLE_EXEMPT = ["127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Hashed names need a collectstatic run; the system tests use them, these need none.
STORAGES = {
    **STORAGES,  # noqa: F405
    "files": {
        **STORAGES["files"],  # noqa: F405
        "OPTIONS": {**STORAGES["files"]["OPTIONS"], "location": FOLDER / "files"},  # noqa: F405
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Empty, but there: WhiteNoise warns of a folder that is missing.
STATIC_ROOT = FOLDER / "static"
STATIC_ROOT.mkdir()
