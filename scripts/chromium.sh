#!/bin/sh
# Find a Chromium for the browser tests, else install one. PY names the project's Python.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    if [ -n "${CANDOR_CHROMIUM:-}" ]; then
        test -x "$CANDOR_CHROMIUM" && return 0
        echo "CANDOR_CHROMIUM is $CANDOR_CHROMIUM, which is no program." >&2
        exit 1
    fi
    for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null && return 0
    done
    # Playwright's own, from an earlier run.
    "$PY" - <<'PYTHON'
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not os.path.exists(playwright.chromium.executable_path))
PYTHON
}

found && exit 0
# A part of Debian's Chromium that has no window, where there is one.
install_one_of chromium-headless-shell chromium && found && exit 0
"$PY" -m playwright install chromium && found && exit 0
echo "No Chromium: install one, or set CANDOR_CHROMIUM to its program." >&2
exit 1
