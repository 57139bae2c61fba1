#!/bin/sh
# Find minisign, with which releases are signed and the tests check our reading, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    command -v minisign >/dev/null
}

found && exit 0
install_one_of minisign && found && exit 0
echo "No minisign: install it (Debian's package is minisign)." >&2
exit 1
