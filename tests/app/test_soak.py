"""What a soak says of series, and what it reads of a process."""

import subprocess
import sys
from itertools import pairwise

import psutil
import pytest

from benchmarks.soak.judgement import LEAST, memory_amiss, number_amiss, slope
from benchmarks.soak.samples import Sample, Taken, taken_by
from benchmarks.soak.soak import JUDGED, amiss, replaced

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
        assert process.stdout.readline() == "done\n"
        seen = [taken_by([psutil.Process(process.pid)])]
        for order in ("files 30", "megabytes 50"):
            process.stdin.write(f"{order}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"
            seen.append(taken_by([psutil.Process(process.pid)]))
    files, own, memory = (
        [after - before for before, after in pairwise(values)]
        for values in zip(*((each.files, each.own, each.memory) for each in seen), strict=True)
    )
    assert files == [30, 0]
    assert own[1] == pytest.approx(50, abs=2)
    assert memory[1] == pytest.approx(50, abs=2)
    assert abs(own[0]) < 10
    # Of one that has ended there is nothing to read.
    assert taken_by([psutil.Process()]).pids
    assert [each.pids for each in seen] == [[process.pid]] * 3


def samples(number, **changes):
    """As many of a site that stays the same, with series of the web server's in their place."""

    def taken(place, role):
        own = {name: values[place] for name, values in changes.items() if role == "web"}
        return Taken(
            **{"memory": 120.0, "own": 100.0, "files": 40, "threads": 5, "pids": [7], **own}
        )

    return [
        Sample(place * 10.0, {role: taken(place, role) for role in JUDGED}, 17, 0, 2.0, 20)
        for place in range(number)
    ]


def test_a_site_that_stays_the_same_holds():
    assert amiss(samples(SAMPLES)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"memory": growing(0.06)}, "memory of web: "),
        ({"own": growing(0.06)}, "memory of web without files: "),
        ({"files": [40 + place // 30 for place in range(SAMPLES)]}, "open files of web: "),
        ({"threads": [5 + place // 30 for place in range(SAMPLES)]}, "threads of web: "),
    ],
)
def test_each_series_of_a_site_is_looked_at(changes, said):
    (found,) = amiss(samples(SAMPLES, **changes))
    assert found.startswith(said)


def test_a_short_soak_tells_nothing():
    assert amiss(samples(LEAST)) == [f"{LEAST} samples are too few to be judged"]


def test_who_was_replaced_is_counted():
    pids = [[1, 2]] * 3 + [[1, 3]] * 3 + [[1, 4]] * 3
    assert replaced(samples(9, pids=pids), "web") == 2
    assert replaced(samples(9, pids=pids), "worker") == 0
