#!/bin/sh
# Find a Chromium for the browser tests, else install one. PY names the project's Python.
set -eu

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

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

from_debian() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || return 1
    echo "Installing chromium with apt-get ..."
    as_root apt-get update -qq
    # A part of Debian's Chromium that has no window, where there is one.
    for package in chromium-headless-shell chromium; do
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null && return 0
    done
    return 1
}

found && exit 0
from_debian && found && exit 0
"$PY" -m playwright install chromium && found && exit 0
echo "No Chromium: install one, or set CANDOR_CHROMIUM to its program." >&2
exit 1
