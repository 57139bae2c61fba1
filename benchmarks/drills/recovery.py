"""PostgreSQL loses its whole disk under load, and is recovered from a base backup and its log.

As docs/operating/backups.md has it: `pg_receivewal` is the standby without which no commit returns,
and a base backup is made while responses come in. Then everything is counted, which makes a moment
to come back to. More responses come in, the database is killed and its folder is deleted, and it is
recovered in its place to the last commit: respondents who try again have their receipts. At last it
goes back to the moment, and has exactly what it had then.
"""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil
import psycopg

from benchmarks.drills.drill import Drill, Load, judge, run
from benchmarks.drills.engine import Database
from benchmarks.drills.site import Site, site
from tests.system.stack import wait_for

STANDBY = "candor_wal"
BACKUP, LOST = "recovery: base backup of the database", "recovery: disk of the database lost"
MOMENT = "recovery: back to a moment before that"
NAMES = (BACKUP, LOST, MOMENT)
# Nobody is let in before all of the log is in the tables; until then it could not store a response.
# The segment that was being received ends where the receiver was.
CONFIG = """
hot_standby = off
restore_command = 'cp {log}/%f %p || cp {log}/%f.partial %p'
recovery_target_action = 'promote'
"""


class Copies:
    """What is kept of a database elsewhere, and how it comes back from that."""

    def __init__(self, running: Site) -> None:
        self.engine: Database = running.engine
        self.base, self.log = running.folder / "base", running.folder / "wal"
        self._said = running.folder / "copies.log"
        for path in (self.base, self.log):
            path.mkdir(0o700)
            self._give(path)

    def _give(self, path: Any) -> None:
        """PostgreSQL has a user of its own where it is started by root."""
        shutil.copymode(self.engine.folder, path)
        shutil.chown(path, self.engine.folder.owner(), self.engine.folder.group())

    def _run(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        server = self.engine.server
        with self._said.open("ab") as said:
            return subprocess.Popen(
                [str(server.bin_path / program), *arguments],
                user=server.system_user,
                stdout=said,
                stderr=said,
            )

    def _ask(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run the statements; returns the rows of the last one."""
        with psycopg.connect(self.engine.url, autocommit=True) as connection:
            for statement in statements:
                found = connection.execute(statement.encode())
            return found.fetchall()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """While it runs, no commit returns before its log is in the other folder."""
        self._ask(f"SELECT pg_create_physical_replication_slot('{STANDBY}', true)")
        follow = f"{self.engine.url}?application_name={STANDBY}"
        words = ("-D", str(self.log), "--slot", STANDBY, "--synchronous", "-d", follow)
        self._receiver = self._run("pg_receivewal", *words)
        try:
            self._ask(
                f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'",
                "SELECT pg_reload_conf()",
            )
            states = "SELECT sync_state FROM pg_stat_replication"
            wait_for(lambda: self._ask(states) == [("sync",)])
            yield
        finally:
            self._stop_receiving()

    def _stop_receiving(self) -> None:
        self._receiver.kill()
        self._receiver.wait()

    def back_up(self) -> None:
        words = ("-D", str(self.base), "-c", "fast", "-d", self.engine.url)
        if self._run("pg_basebackup", *words).wait():
            raise RuntimeError("The base backup failed.")

    def moment(self) -> tuple[str, int]:
        """The time of the database, and how many receipts there are."""
        ((now, receipts),) = self._ask(
            "SELECT clock_timestamp()::text, count(*) FROM surveys_receipt"
        )
        return now, receipts

    def lose(self) -> None:
        """Kill every process of the database at once, and delete all that it has on disk."""
        processes = self.engine.processes()
        self.engine.kill()
        psutil.wait_procs(processes, timeout=30)
        self._stop_receiving()
        shutil.rmtree(self.engine.folder)

    def recover(self, until: str = "") -> None:
        """Start from the base backup and the log up to a time, or to the last commit."""
        folder = self.engine.folder
        # With its owners.
        subprocess.run(["cp", "-a", str(self.base), str(folder)], check=True)
        target = f"recovery_target_time = '{until}'\n" if until else ""
        # There is no receiver any more: what names it is left out.
        (folder / "postgresql.auto.conf").write_text(CONFIG.format(log=self.log) + target)
        (folder / "recovery.signal").touch()
        shutil.chown(folder / "recovery.signal", folder.owner(), folder.group())
        self.engine.start()


def back_at(copies: Copies, moment: tuple[str, int], running: Site, load: Load) -> dict[str, Any]:
    """Go back to the moment, at which everything of this load was there, and nothing else."""
    began = time.monotonic()
    copies.lose()
    copies.recover(moment[0])
    receipts = copies.moment()[1]
    figures = judge(Drill(MOMENT, lambda _site, _load: None), running, load.surveys, load.sent)
    if receipts != moment[1]:
        figures["wrong"].append(f"of {moment[1]} receipts at the moment there are {receipts}")
    return figures | {"seconds": time.monotonic() - began}


def recoveries(rate: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Three drills on one site, each with its figures."""
    loads: list[Load] = []
    with site(has_pages=False) as running:
        copies = Copies(running)

        def back_up(_site: Site, load: Load) -> None:
            loads.append(load)
            copies.back_up()
            load.wait_for_more(20)

        def lose(_site: Site, _load: Load) -> None:
            copies.lose()
            copies.recover()

        with copies.kept():
            yield BACKUP, run(Drill(BACKUP, back_up), running, rate, 0)
            moment = copies.moment()
            yield LOST, run(Drill(LOST, lose, may_be_away=True), running, rate, 1)
            yield MOMENT, back_at(copies, moment, running, loads[0])
