"""The types of documents are made once, whichever threads read the first documents."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Each round adds a feature, so that the types are made anew, while four threads wait to read.
PROGRAM = """
import sys, threading
import django
import msgspec
django.setup()
from surveys.features import FEATURES, Feature
from surveys.features.parts import DocumentPart, ResultsPart
from surveys.parameters import ParametersError, read
from surveys.parameters.types import Name
from surveys.results_document.document import read_results

sys.setswitchinterval(1e-6)

class Section(DocumentPart):
    def __init__(self, number, name):
        many = [
            msgspec.defstruct(f"T{number}_{i}", [(f"f{k}", Name) for k in range(9)])
            for i in range(60)
        ]
        self.sections = {name: tuple[tuple(many)]}

class Found(ResultsPart):
    def __init__(self, sections):
        self.question_sections = sections

for number in range(60):
    name = f"f{number}"
    document = {name: [{f"f{k}": "a" for k in range(9)}] * 60}
    results = {"questions": [document]}
    section = Section(number, name)
    found = Found(Section(number + 60, name).sections)
    FEATURES.add(Feature(name, (name,), name, name, document=section, results=found))
    start = threading.Barrier(4)
    def run():
        start.wait()
        try:
            read(document)
        except ParametersError:
            pass
        try:
            read_results(results)
        except msgspec.ValidationError:
            pass
    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    FEATURES.remove(name)
print("read")
"""


@pytest.mark.slow
def test_threads_that_read_the_first_documents_do_not_end_the_process():
    """msgspec 0.22 looks into a type when it first reads one; two threads that do it crash."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "read\n"), run.stderr
