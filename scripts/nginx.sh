#!/bin/sh
# Find nginx, which stands before the web servers in some tests and drills, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"
PATH=$PATH:/usr/sbin

found() {
    command -v nginx >/dev/null
}

found && exit 0
install_one_of nginx-light nginx && found && exit 0
echo "No nginx: install one (Debian's package is nginx-light)." >&2
exit 1
