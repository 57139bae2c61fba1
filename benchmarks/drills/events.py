"""What happens to a site in a drill. Each event ends with everything running again."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

from benchmarks.drills.drill import Drill, Load
from benchmarks.drills.site import Program, Site, Web
from tests.system.stack import wait_for

RESTARTS = 6
STOPPED_SECONDS = 10


def nothing(site: Site, load: Load) -> None:
    load.wait_for_more(100)


# --- web servers ----------------------------------------------------------------------------------


def restart_in_turn(site: Site, load: Load) -> None:
    for number in range(RESTARTS):
        site.webs[number % 2].restart()


def hang_up(site: Site, load: Load) -> None:
    """HUP: gunicorn starts new processes and ends the old ones in order."""
    for web in site.webs:
        before = web.children()
        web.process.send_signal(signal.SIGHUP)
        psutil.wait_procs(before, timeout=120)
        web.wait()
        load.wait_for_more(20)


def upgrade_in_place(site: Site, load: Load) -> None:
    """USR2: a second gunicorn takes over the socket of the first, which then ends in order."""
    for web in site.webs:
        web.process.send_signal(signal.SIGUSR2)
        old = psutil.Process(web.process.pid)
        wait_for(lambda old=old: _successor(old), every=0.1)
        load.wait_for_more(20)
        web.end()
        web.wait()
        load.wait_for_more(20)
        # What systemd would do next: the successor is no child of ours.
        _end_successor(web)
        web.start()


def _successor(old: psutil.Process) -> psutil.Process | None:
    """The new master among the children, once it has processes of its own."""
    for child in old.children():
        with suppress(psutil.NoSuchProcess):
            if child.children():
                return child
    return None


def _end_successor(web: Web) -> None:
    masters = [
        process
        for process in psutil.process_iter(["cmdline", "environ"])
        if (process.info["environ"] or {}).get("PORT") == str(web.port)
        and "gunicorn" in " ".join(process.info["cmdline"] or ())
    ]
    for process in masters:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    psutil.wait_procs(masters, timeout=120)


def kill_web_process(site: Site, load: Load) -> None:
    for web in site.webs * 3:
        killed = web.children()[0]
        killed.kill()
        wait_for(lambda web=web, killed=killed: _is_replaced(web, killed), every=0.1)
        load.wait_for_more(20)


def _is_replaced(web: Web, killed: psutil.Process) -> bool:
    children = web.children()
    return len(children) > 1 and killed not in children


def kill_web_server(site: Site, load: Load) -> None:
    for web in site.webs:
        web.kill()
        load.wait_for_more(20)
        web.start()


def stop_web_process(site: Site, load: Load) -> None:
    """A process that stands still for ten seconds, as on a machine that is being moved."""
    process = site.webs[0].children()[0]
    process.suspend()
    time.sleep(STOPPED_SECONDS)
    process.resume()


# --- workers, searches, clock ---------------------------------------------------------------------


def _ends(name: str, sign: signal.Signals) -> Callable[[Site, Load], None]:
    def event(site: Site, load: Load) -> None:
        for _ in range(3):
            _end(site.programs[name], sign)
            load.wait_for_more(20)
            site.programs[name].start()
            load.wait_for_more(20)

    return event


def _end(program: Program, sign: signal.Signals) -> None:
    program.kill() if sign is signal.SIGKILL else program.end(sign)


# --- broker ---------------------------------------------------------------------------------------


def kill_broker(site: Site, load: Load) -> None:
    for _ in range(2):
        site.kill_broker()
        load.wait_for_more(50)
        site.start_broker()
        load.wait_for_more(50)


def empty_broker(site: Site, load: Load) -> None:
    for _ in range(10):
        site.empty_broker()
        load.wait_for_more(20)


# --- database -------------------------------------------------------------------------------------


def _restarts(mode: str) -> Callable[[Site, Load], None]:
    def event(site: Site, load: Load) -> None:
        for _ in range(2):
            site.engine.restart(mode)
            site.engine.start()
            load.wait_for_more(50)

    return event


def kill_database(site: Site, load: Load) -> None:
    site.engine.kill()
    site.engine.start()


def cut_from_database(site: Site, load: Load) -> None:
    with site.engine.stopped():
        time.sleep(STOPPED_SECONDS)


TERM, KILL = signal.SIGTERM, signal.SIGKILL
DRILLS = [
    Drill("nothing happens", nothing),
    Drill("web servers restarted in turn", restart_in_turn),
    Drill("web servers told to load anew (HUP)", hang_up),
    Drill("web servers replaced in place (USR2)", upgrade_in_place),
    Drill("a web process killed", kill_web_process, may_be_away=True),
    Drill("a web server killed", kill_web_server, may_be_away=True),
    Drill("a web process stands still", stop_web_process),
    Drill("workers ended", _ends("worker", TERM)),
    Drill("workers killed", _ends("worker", KILL)),
    Drill("searches killed", _ends("searches", KILL)),
    Drill("clock killed", _ends("clock", KILL)),
    Drill("broker killed", kill_broker),
    Drill("broker emptied", empty_broker),
    Drill("database restarted", _restarts("fast"), may_be_away=True),
    Drill("database restarted at once", _restarts("immediate"), may_be_away=True),
    Drill("database killed", kill_database, may_be_away=True),
    Drill("database out of reach", cut_from_database, may_be_away=True),
]
