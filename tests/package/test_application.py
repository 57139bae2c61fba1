"""The library as a distribution has all that the application takes from it."""

import subprocess
import sys
import zipfile

from tests.package.environments import ROOT, build

# Imports every module of the application, then takes every name that it takes from the engine.
APPLICATION = """
import os, pathlib, pkgutil, re, sys

wheel, root = sys.argv[1:]
sys.path[:0] = [wheel, root]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
import config, surveys, rr_engine
assert rr_engine.__file__.startswith(wheel), rr_engine.__file__
for package in (config, surveys):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        __import__(found.name)
names = set()
for folder in ("config", "surveys", "static/programs"):
    for path in pathlib.Path(root, folder).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        names |= {*re.findall(r"^ *[^`#\\n]*\\brr_engine\\.(\\w+\\.\\w+)\\(", text, re.M)}
for name in names:
    room, member = name.split(".")
    getattr(getattr(rr_engine, room), member)
print(len(names) > 30)
"""


def test_the_application_needs_nothing_that_it_lacks(tmp_path, monkeypatch):
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(build(ROOT, tmp_path / "dist")).extractall(unpacked)
    monkeypatch.setenv("CANDOR_DEBUG", "1")
    monkeypatch.setenv("DATABASE_URL", "sqlite://:memory:")
    command = [sys.executable, "-c", APPLICATION, str(unpacked), str(ROOT)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
