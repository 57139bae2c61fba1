"""`python -m tests.unchanged OUT.json`: digests of all that surveys of every sort publish.

Made before and after a refactoring, `compare BEFORE.json AFTER.json` says what it has changed.
"""

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

from tests.unchanged import chance
from tests.unchanged.comparison import differences


def main() -> int:
    if sys.argv[1:2] == ["compare"]:
        return compare(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m tests.unchanged", description=__doc__)
    parser.add_argument("out", type=Path, help="the record to write")
    parser.add_argument("--keep", type=Path, help="a folder for what is digested")
    parser.add_argument("--only", default="", help="surveys with this word in their names")
    chosen = parser.parse_args()
    record = made(chosen.only, chosen.keep)
    chosen.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    items = sum(map(len, record.values()))
    sys.stdout.write(f"{items} items of {len(record)} surveys in {chosen.out}\n")
    return 0


def compare(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.unchanged compare")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    chosen = parser.parse_args(arguments)
    records = [json.loads(path.read_text("utf-8")) for path in (chosen.before, chosen.after)]
    lines = differences(*records)
    sys.stdout.write("\n".join([*lines, f"{len(lines)} differences", ""]))
    return int(bool(lines))


def made(word: str, keep: Path | None) -> dict[str, dict[str, str]]:
    """Return the digests of the items of all surveys, or of those with a word in their names."""
    chance.take_over()
    chance.begin("the start")
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

    import django

    django.setup()
    from django.db import connection, transaction
    from django.test.utils import setup_test_environment

    from tests.unchanged.listed import listed
    from tests.unchanged.record import items_of

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    record = {}
    for name, make in listed():
        if word not in name:
            continue
        chance.begin(name)
        # Rolled back, so that each survey is the first of its database.
        with transaction.atomic():
            launches = make()
            chance.begin(f"{name}, published")
            items = items_of(launches)
            transaction.set_rollback(True)
        record[name] = {item: hashlib.sha256(body).hexdigest() for item, body in items.items()}
        if keep is not None:
            keep_items(keep / name, items)
    return record


def keep_items(folder: Path, items: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for item, body in items.items():
        (folder / item.replace("/", " ")).write_bytes(body)


if __name__ == "__main__":
    sys.exit(main())
