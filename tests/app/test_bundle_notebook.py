"""The notebook of the guide goes from a downloaded bundle to a regression and a figure."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from django.db import transaction

from tests.app.bundles import ROOT, bundle_of
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

NOTEBOOK = ROOT / "docs/guide/bundle.ipynb"
FEWER_LINES_THAN = 15
EXECUTE = "from nbclient.cli import main; main()"


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_it_runs_on_the_bundle_of_the_demo(tmp_path):
    with transaction.atomic():
        tmp_path.joinpath("bundle.zip").write_bytes(bundle_of(FEATURES["demo"]()[-1]))
        transaction.set_rollback(True)
    shutil.copy(NOTEBOOK, tmp_path)
    folders = ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")
    own = {name: str(tmp_path / "jupyter") for name in (*folders, "MPLCONFIGDIR")}
    environment = {**os.environ, **own, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", EXECUTE, "--output", "done", NOTEBOOK.name]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    done = json.loads(tmp_path.joinpath("done.ipynb").read_text(encoding="utf-8"))
    cells = code_cells(done)
    lines = [line for cell in cells for line in cell["source"] if line.strip()]
    assert len(lines) < FEWER_LINES_THAN
    (coefficients,) = cells[2]["outputs"]
    text = "".join(coefficients["data"]["text/plain"])
    assert all(name in text for name in ("C(size)[T.3]", "age", "standard_error"))
    pictures = [output for output in cells[3]["outputs"] if "image/png" in output.get("data", {})]
    assert len(pictures) == 1
    assert tmp_path.joinpath("bullied.svg").stat().st_size > 1000
