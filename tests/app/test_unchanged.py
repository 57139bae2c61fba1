"""The comparison that shows whether a refactoring has changed what is published."""

import json

from tests.unchanged.__main__ import compare
from tests.unchanged.comparison import differences

BEFORE = {"demo": {"digest": "1", "reports-csv": "2"}, "few": {"digest": "3"}}


def test_equal_records_have_no_differences():
    assert differences(BEFORE, json.loads(json.dumps(BEFORE))) == []


def test_a_changed_item_is_named():
    after = {**BEFORE, "demo": {"digest": "1", "reports-csv": "other"}}
    assert differences(BEFORE, after) == ["changed: demo reports-csv"]


def test_what_is_new_or_missing_is_named():
    after = {"demo": {"digest": "1", "estimates-csv": "2"}, "waves": {}}
    assert differences(BEFORE, after) == [
        "new: demo estimates-csv",
        "missing: demo reports-csv",
        "missing: few",
        "new: waves",
    ]


def test_the_command_fails_where_something_differs(tmp_path, capsys):
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(json.dumps(BEFORE))
    after.write_text(json.dumps({**BEFORE, "few": {"digest": "other"}}))
    assert compare([str(before), str(before)]) == 0
    assert compare([str(before), str(after)]) == 1
    assert "changed: few digest\n1 differences\n" in capsys.readouterr().out
