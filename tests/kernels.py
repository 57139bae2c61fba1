"""Tests once more for each other kernel of the linear algebra that this processor can run.

`python -m tests.kernels COMMAND ...` runs COMMAND with OPENBLAS_CORETYPE set to each in turn, but
not to the one that is taken anyway: under that they run with all other tests.

OpenBLAS picks its kernel by the processor, and each rounds in an order of its own: what holds by
the last digits of one need not hold with another.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

# The features that a processor must have for a kernel; to run one that it has not would end the
# process.
NEEDED = {
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "Zen": {"avx2", "fma"},
}
# Asked in a process of its own, because a library looks at the variable when it is loaded.
ASK = """
import numpy, scipy.linalg, threadpoolctl
found = threadpoolctl.threadpool_info()
print(*(one["architecture"] for one in found if one["internal_api"] == "openblas"))
"""


def features():
    """Return the processor's own features, in Linux's words; nothing where it cannot be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    return {word for line in lines if line.startswith("flags") for word in line.split()}


def taken(kernel):
    """Return what NumPy's and SciPy's OpenBLAS run when told to take a kernel."""
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        env=environment(kernel),
        capture_output=True,
        text=True,
        check=True,
    )
    return " and ".join(sorted(set(asked.stdout.split())))


def environment(kernel):
    return {**os.environ, **({"OPENBLAS_CORETYPE": kernel} if kernel else {})}


def obstacle(kernel, has):
    """Why a kernel need not or cannot be run; empty if it is to be."""
    lacking = sorted(NEEDED[kernel] - has)
    if lacking:
        return f"this processor has no {', '.join(lacking)}"
    runs = taken(kernel)
    # Builds of OpenBLAS leave kernels out and take a sibling: NumPy's has Haswell's for Zen.
    return "" if runs == kernel else f"this library runs {runs or 'no OpenBLAS'} for it"


def main(command):
    has, usual = features(), taken("")
    ended, spent = [], []
    for kernel in NEEDED:
        reason = "it is taken anyway" if kernel == usual else obstacle(kernel, has)
        if reason:
            say(f"Not under {kernel}: {reason}.")
            continue
        say(f"Under {kernel}:")
        began = time.monotonic()
        ended.append(subprocess.run(command, env=environment(kernel), check=False).returncode)
        spent.append(f"{kernel} ({time.monotonic() - began:.0f} s)")
    say(f"Ran under {', '.join(spent) or 'no other kernel'}; taken anyway: {usual or 'unknown'}.")
    return 1 if any(ended) else 0


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
