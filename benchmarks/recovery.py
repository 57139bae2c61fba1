"""The drill of recovery: PostgreSQL loses its whole disk while responses come in.

    python -m benchmarks.recovery [--rate 40] [--seconds 6]

As docs/operating/backups.md has it: a base backup, `pg_receivewal` as the standby without which no
commit returns, and a web server that takes responses. Then the database is killed and its folder is
lost. It is recovered twice, to the last commit and to a moment between two of its halves. Prints
what was acknowledged and what is stored; the drill fails where an acknowledged response is missing,
tallies and reports differ, or the moment has more or fewer responses than it had.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg

from benchmarks.restarts import Senders, Web
from tests.postgresql import address_of, on_disk
from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.stack import plain_environment, wait_for

STANDBY = "candor_wal"


class Database:
    """A server in a folder of its own, and the programs that come with it."""

    def __init__(self, server: Any) -> None:
        self.server, self.url = server, address_of(server)

    def run(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [str(self.server.bin_path / program), *arguments]
        return subprocess.Popen(
            command,
            user=self.server.system_user,
            stderr=subprocess.DEVNULL,
        )

    def tell(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def is_followed(self) -> bool:
        with psycopg.connect(self.url) as connection:
            states = connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall()
        return states == [("sync",)]

    def lose(self) -> None:
        """Kill every process of it at once, and delete all that it had on disk."""
        postmaster = psutil.Process(self.server.get_pid())
        processes = [postmaster, *postmaster.children(recursive=True)]
        for process in processes:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(processes, timeout=30)
        shutil.rmtree(self.server.pgdata)


@contextmanager
def following(database: Database, wal: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The receiver of the log, without which no commit returns from then on."""
    database.tell("SELECT pg_create_physical_replication_slot('candor_wal', true)")
    follow = f"{database.url}?application_name={STANDBY}"
    arguments = ("-D", str(wal), "--slot", "candor_wal", "--synchronous", "-d", follow)
    receiver = database.run("pg_receivewal", *arguments)
    try:
        database.tell(
            f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'", "SELECT pg_reload_conf()"
        )
        wait_for(database.is_followed)
        yield receiver
    finally:
        receiver.kill()
        receiver.wait()


def environment_of(url: str, folder: Path) -> dict[str, str]:
    return plain_environment(
        CANDOR_DATA_DIR=str(folder),
        CANDOR_SECRET_KEY="of this drill, and of nothing else in the world",
        CANDOR_PLAIN_HTTP="1",
        CANDOR_WEB_WORKERS="2",
        CANDOR_THROTTLE_EXEMPT="127.0.0.1",
        REDIS_URL="redis://127.0.0.1:1/0",
        DJANGO_SETTINGS_MODULE="config.settings",
        DATABASE_URL=url,
    )


@contextmanager
def recovered(base: Path, wal: Path, target: str) -> Iterator[Database]:
    """A server with what the base backup and the log have, up to a target."""
    copy = base.with_name(f"recovered-{len(list(base.parent.iterdir()))}")
    shutil.copytree(base, copy)
    # The segment that was being received ends where the receiver was.
    command = f"cp {wal}/%f %p || cp {wal}/%f.partial %p"
    (copy / "postgresql.auto.conf").write_text(
        f"restore_command = '{command}'\nrecovery_target_action = 'promote'\n{target}\n"
    )
    (copy / "recovery.signal").touch()
    owner = base.stat()
    for path in [copy, *copy.rglob("*")]:
        os.chown(path, owner.st_uid, owner.st_gid)
    with on_disk(copy) as server:
        database = Database(server)
        wait_for(lambda: is_writable(database))
        yield database


def is_writable(database: Database) -> bool:
    with psycopg.connect(database.url) as connection:
        return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)


def audit(database: Database, folder: Path) -> dict[str, Any]:
    ledger = AnsweringProcess("tests.system.ledger", environment_of(database.url, folder))
    with closing(ledger):
        found: dict[str, Any] = ledger.ask("audit", "recovery")
    return found


def agrees(found: dict[str, Any]) -> bool:
    responses = found["inbox"] + found["aggregated"]
    return found["tallies"] == found["recount"] and len(found["receipts"]) == responses


def taken(web: Web, document: dict[str, Any], rate: float, seconds: float) -> set[str]:
    """Send responses for so long; returns the ids of those that were acknowledged."""
    senders = Senders(web.port, document, rate)
    with closing(senders):
        time.sleep(seconds)
    return senders.acknowledged


def drill(rate: float, seconds: float) -> dict[str, Any]:
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="candor-recovery-")))
        folder.chmod(0o755)
        first = ends.enter_context(on_disk(folder / "data"))
        database, base, wal = Database(first), folder / "base", folder / "wal"
        for path in (base, wal):
            path.mkdir(0o700)
            shutil.chown(path, first.pgdata.owner(), first.pgdata.group())
        receiver = ends.enter_context(following(database, wal))
        environment = environment_of(database.url, folder)
        migrate = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
        ledger = AnsweringProcess("tests.system.ledger", environment)
        ends.callback(ledger.close)
        document = ledger.ask("launch", "recovery")
        web = ends.enter_context(closing(Web(environment)))
        early = taken(web, document, rate, seconds / 2)
        if database.run("pg_basebackup", "-D", str(base), "-c", "fast", "-d", database.url).wait():
            raise RuntimeError("The base backup failed.")
        early |= taken(web, document, rate, seconds / 2)
        with psycopg.connect(database.url) as connection:
            (moment,) = connection.execute("SELECT clock_timestamp()::text").fetchone() or ("",)
        senders = Senders(web.port, document, rate)
        with closing(senders):
            time.sleep(seconds)
            database.lose()
            receiver.kill()
        acknowledged = early | senders.acknowledged
        with recovered(base, wal, "") as last:
            end = audit(last, folder)
        with recovered(base, wal, f"recovery_target_time = '{moment}'") as between:
            then = audit(between, folder)
    stored = set(end["receipts"])
    return {
        "acknowledged": len(acknowledged),
        "stored": len(stored),
        "lost": len(acknowledged - stored),
        "agrees": agrees(end) and agrees(then),
        "acknowledged_by_the_moment": len(early),
        "stored_at_the_moment": len(then["receipts"]),
        "same_at_the_moment": early == set(then["receipts"]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recovery")
    parser.add_argument("--rate", type=float, default=40, help="responses a second")
    parser.add_argument("--seconds", type=float, default=6, help="before and after the base backup")
    options = parser.parse_args()
    outcome = drill(options.rate, options.seconds)
    print(json.dumps(outcome))
    return int(outcome["lost"] or not outcome["agrees"] or not outcome["same_at_the_moment"])


if __name__ == "__main__":
    sys.exit(main())
