#!/bin/sh
# Find a Firefox for the tests, as it was released, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    if [ -n "${CANDOR_FIREFOX:-}" ]; then
        test -x "$CANDOR_FIREFOX" && return 0
        echo "CANDOR_FIREFOX is $CANDOR_FIREFOX, which is no program." >&2
        exit 1
    fi
    command -v firefox-esr >/dev/null || command -v firefox >/dev/null
}

found && exit 0
install_one_of firefox-esr && found && exit 0
echo "No Firefox: install one (Debian's package is firefox-esr), or set CANDOR_FIREFOX to its program." >&2
exit 1
