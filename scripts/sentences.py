"""Put every sentence that people are meant to read on one page: `make sentences`.

Of the respondent's pages a test walks through surveys of every kind at every epsilon, in a real
browser, and leaves what it read; a browser and a quarter of an hour are needed. Of the results
another leaves the findings of surveys whose results chance made, in both languages. The page is
var/sentences.html.
"""

import html
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESPONDENTS = "tests/browser/test_respond_sentences.py"
RESULTS = "tests/app/consistency/test_sentences.py"
PAGE = ROOT / "var" / "sentences.html"

# The walks on which a sentence was read, by the stop.
Places = dict[str, list[str]]


def main() -> int:
    """Run the tests in full, and write the page; returns the status of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        # The name is that of FOLDER in tests/browser/sentences.py.
        surroundings = {**os.environ, "SENTENCES_FOLDER": folder}
        tests = [RESPONDENTS, RESULTS]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *tests, *sys.argv[1:]]
        status = subprocess.run(command, cwd=ROOT, env=surroundings, check=False).returncode
        walks = [
            json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).glob("*.json"))
        ]
    found: dict[str, Places] = defaultdict(lambda: defaultdict(list))
    for walk in walks:
        for sentence, stops in walk["stops"].items():
            for stop in stops:
                found[sentence][stop].append(walk["name"])
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page_of(found, len(walks)), encoding="utf-8")
    return status


def page_of(found: dict[str, Places], walks: int) -> str:
    """Return each sentence once, with its number of words and where it was read."""
    in_order = sorted(found.items(), key=lambda item: (min(item[1]), item[0]))
    rows = "\n".join(_row(sentence, places) for sentence, places in in_order)
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Sentences</title>"
        f"<h1>{len(found)} sentences of {walks} walks</h1>"
        "<table><tr><th>Words</th><th>Sentence</th><th>Where</th></tr>"
        f"{rows}</table></html>\n"
    )


def _row(sentence: str, places: Places) -> str:
    where = "; ".join(f"{stop}: {', '.join(sorted(set(names)))}" for stop, names in places.items())
    cells = (str(len(sentence.split())), sentence, where)
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


if __name__ == "__main__":
    sys.exit(main())
