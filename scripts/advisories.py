"""`python scripts/advisories.py PIP-AUDIT FILE ...`: what is pinned against known advisories.

pip-audit asks PyPI. Without `--strict` it ends well though it has found nothing out, so what it
could not learn is told apart here from what it learned. Runs on any Python, without the project.
"""

import subprocess
import sys

OPTIONS = ("--strict", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
KNOWN, UNKNOWN = 1, 2


def main(program: str, files: list[str]) -> int:
    outcomes = [_audit(program, file) for file in files]
    return max(outcomes, default=UNKNOWN)


def _audit(program: str, file: str) -> int:
    command = [program, *OPTIONS, "--requirement", file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return _not_checked(file, str(error))
    if done.returncode == 0:
        sys.stdout.write(f"{file}: no known advisory.\n")
        return 0
    # A table on the standard output is a list of advisories; without one there was no answer.
    if done.stdout.strip():
        sys.stdout.write(f"{file}:\n{done.stdout}")
        return KNOWN
    lines = done.stderr.strip().splitlines() or ["it says nothing"]
    return _not_checked(file, lines[-1])


def _not_checked(file: str, reason: str) -> int:
    sys.stderr.write(f"{file} was not checked, the list of advisories cannot be had: {reason}\n")
    return UNKNOWN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
