#!/bin/sh
# Find PgBouncer, through which a test runs the whole product, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    PATH="$PATH:/usr/sbin" command -v pgbouncer >/dev/null
}

found && exit 0
install_one_of pgbouncer && found && exit 0
echo "No PgBouncer: install it (Debian's package is pgbouncer)." >&2
exit 1
