"""What a soak says of series, and what it reads of a process."""

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest

from benchmarks.soak.__main__ import main
from benchmarks.soak.judgement import LEAST, memory_amiss, number_amiss, slope
from benchmarks.soak.people import Person
from benchmarks.soak.samples import Sample, Taken, read, taken, taken_by
from benchmarks.soak.soak import JUDGED, amiss, replaced, staying

# An hour, sampled each ten seconds; the first third of it is left out.
SAMPLES, WARM_UP = 360, 120
REST = SAMPLES - WARM_UP


def filled(rest):
    """A series whose warm-up, which grows to three times of itself, is left out."""
    assert len(rest) == REST
    return [*(40 + 80 * place / WARM_UP for place in range(WARM_UP)), *rest]


def growing(share):
    """From the end of the warm-up to the end, evenly, by this share."""
    return filled([120 * (1 + share * place / (REST - 1)) for place in range(REST)])


def wave(height, length):
    """Teeth of a saw, as of processes that are replaced: each begins low and ends high."""
    return filled([120 + height * (place % length) / length for place in range(REST)])


def test_what_is_flat_passes_whatever_its_warm_up():
    assert memory_amiss("web", filled([120.0] * REST)) == []


def test_what_grows_by_four_in_a_hundred_passes():
    assert memory_amiss("web", growing(0.04)) == []


def test_what_grows_evenly_by_six_in_a_hundred_fails_by_its_line():
    (said,) = memory_amiss("web", growing(0.06))
    assert "memory of web: the line" in said


def test_what_grows_by_a_fifth_fails_by_both():
    assert len(memory_amiss("web", growing(0.2))) == 2


def test_a_jump_that_stays_fails_by_its_quarters():
    said = memory_amiss("web", filled([120.0] * (REST - 70) + [127.0] * 70))
    assert "the last quarter" in said[0]


def test_a_peak_passes():
    assert memory_amiss("web", filled([120.0] * 100 + [300.0] * 3 + [120.0] * 137)) == []


@pytest.mark.parametrize("length", [5, 12, 30])
def test_the_teeth_of_a_saw_pass(length):
    assert memory_amiss("worker", wave(36, length)) == []


def test_the_teeth_of_a_saw_that_rises_fail():
    rising = [value + place * 15 / SAMPLES for place, value in enumerate(wave(36, 12))]
    assert memory_amiss("worker", rising)


def test_files_that_are_never_closed_fail():
    """One in each 20 samples, of two processes with 40 that come and go."""
    come_and_go = [38 + place * 7 % 5 for place in range(REST)]
    leaked = [number + place // 20 for place, number in enumerate(come_and_go)]
    assert number_amiss("open files of web", filled(come_and_go), 2) == []
    (said,) = number_amiss("open files of web", filled(leaked), 2)
    assert said.startswith("open files of web: +")


def test_a_file_for_each_process_may_come():
    assert number_amiss("open files of web", filled([40] * 120 + [42] * 120), 2) == []
    assert number_amiss("open files of web", filled([40] * 120 + [43] * 120), 2)


def test_the_slope_is_that_of_most_pairs():
    assert slope([5.0]) == 0
    assert slope([0, 2, 4, 6, 8, 10]) == 2
    assert slope([0, 2, 4, 1000, 8, 10]) == 2


# --- what is read of processes --------------------------------------------------------------------

PROGRAM = """
import sys
held = []
print("done", flush=True)
for line in sys.stdin:
    what, number = line.split()
    if what == "files":
        held += [open("/dev/null") for _ in range(int(number))]
    else:
        held.append(b"x" * (int(number) * 1024 * 1024))
    print("done", flush=True)
"""


def test_files_and_memory_of_a_process_are_seen():
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        child = psutil.Process(process.pid)
        assert process.stdout.readline() == "done\n"
        before = taken(child)
        for order in ("files 30", "megabytes 50"):
            process.stdin.write(f"{order}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"
        after = taken(child)
    assert after.files - before.files == 30
    assert after.own - before.own == pytest.approx(50, abs=10)
    assert after.memory - before.memory == pytest.approx(50, abs=10)
    assert after.threads == before.threads == 1
    # Of one that has ended there is nothing to read.
    own = psutil.Process()
    assert set(taken_by([child, own])) == {own.pid}


def samples(number, role="web", **changes):
    """As many of a site that stays the same, with series of a role's process in their place."""

    def of(place, name):
        same = {"memory": 120.0, "own": 100.0, "files": 40, "threads": 5}
        changed = {each: values[place] for each, values in changes.items() if name == role}
        return {1: Taken(**same), 2: Taken(**same | changed)}

    return [
        Sample(place * 10.0, {name: of(place, name) for name in JUDGED}, 17, 0, 2.0, 20)
        for place in range(number)
    ]


def test_a_site_that_stays_the_same_holds():
    assert amiss(samples(SAMPLES)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"memory": growing(0.13)}, "memory of {role}: "),
        ({"own": growing(0.13)}, "memory of {role} without files: "),
        ({"files": [40 + place // 30 for place in range(SAMPLES)]}, "open files of {role}: "),
        ({"threads": [5 + place // 30 for place in range(SAMPLES)]}, "threads of {role}: "),
    ],
)
@pytest.mark.parametrize("role", ["web", "worker", "searches", "metrics"])
def test_each_series_of_a_site_is_looked_at(role, changes, said):
    found = amiss(samples(SAMPLES, role, **changes))
    assert found
    assert all(each.startswith(said.format(role=role)) for each in found)


def test_the_samples_of_a_file_are_judged_as_before(tmp_path, capsys, monkeypatch):
    path, leaking = tmp_path / "soak.jsonl", samples(SAMPLES, files=range(SAMPLES))
    path.write_text("".join(json.dumps(asdict(each)) + "\n" for each in leaking))
    assert read(path) == leaking
    monkeypatch.setattr(sys, "argv", ["soak", "--read", str(path)])
    assert main() == 1
    assert json.loads(f"[{capsys.readouterr().out.partition('[')[2]}") == amiss(leaking)


def test_connections_that_are_never_closed_fail():
    leaking = samples(SAMPLES)
    for place, sample in enumerate(leaking):
        sample.connections += place // 10
    (said,) = amiss(leaking)
    assert said.startswith("connections to the database: +")


def test_a_short_soak_tells_nothing():
    assert amiss(samples(LEAST)) == [f"{LEAST} samples are too few to be judged"]


def with_replaced(pids):
    """A site whose worker's second process is another one from time to time."""
    changed = samples(len(pids))
    for sample, pid in zip(changed, pids, strict=True):
        first, second = sample.roles["worker"].values()
        # It has what its parent had open when it was forked.
        sample.roles["worker"] = {1: first, pid: replace(second, files=40 if pid == 2 else 48)}
    return changed


def test_processes_that_are_replaced_are_counted_and_leak_no_file():
    site = with_replaced([2] * 200 + [3] * 60 + [4] * 100)
    assert replaced(site, "worker") == 2
    assert replaced(site, "web") == 0
    assert staying(site, "worker") == {1}
    assert staying(site, "web") == {1, 2}
    assert amiss(site) == []


# --- what people make of an answer ----------------------------------------------------------------


class Busy(BaseHTTPRequestHandler):
    """Answers 503, and below /later/ says when to come back."""

    def do_GET(self):
        self.send_response(503)
        if self.path.startswith("/later/"):
            self.send_header("Retry-After", "5")
        self.end_headers()

    def log_message(self, *_):
        pass


class Reader(Person):
    def visit(self):
        self.read_from("", "/later/", "/broken/")


@contextmanager
def busy():
    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


def test_only_an_error_that_says_when_to_come_back_is_none():
    with busy() as port:
        reader = Reader(port, threading.Event(), 0)
        reader.visit()
    assert reader.amiss == [f"503 at 503 {reader.site}/broken/ (on the start)"]
    assert +reader.statuses == {"503 with Retry-After": 1, "503": 1}
