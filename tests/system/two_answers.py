"""The results of a question with two answers, from the reports: rr_engine and nothing else.

    python two_answers.py parameters.json reports.csv QUESTION

The programs of the guide for researchers print the rest of its numbers.
"""

import csv
import json
import sys
from pathlib import Path

import rr_engine

parameters = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
with Path(sys.argv[2]).open(encoding="utf-8", newline="") as file:
    codes = [int(row[sys.argv[3]]) for row in csv.DictReader(file)]
(table,) = [each["table"] for each in parameters["devices"] if each["id"] == sys.argv[3]]
kept, other = table["kept"], table["other"]
device = rr_engine.DesignMatrix.from_integers([[kept, other], [other, kept]], table["denominator"])
counts = [codes.count(0), codes.count(1)]
found = rr_engine.estimate(device, counts, population=parameters["population"])
entropy = rr_engine.association.entropy(found)
numbers = {
    "counts": counts,
    "effective_n": rr_engine.planning.equivalent_n(found),
    "entropy": {
        "value": entropy.value,
        "standard_error": entropy.standard_error,
        "interval": entropy.interval(0.95).tolist(),
    },
    "interval_50": found.interval(0.5, method="default").tolist(),
    "fake_weight": rr_engine.compliance.poisoning(found).weights.tolist(),
    "reported_share": [count / len(codes) for count in counts],
}
sys.stdout.write(json.dumps(numbers))
