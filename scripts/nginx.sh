#!/bin/sh
# Find nginx, behind which tests put a site, else install Debian's smallest.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    PATH="$PATH:/usr/sbin" command -v nginx >/dev/null
}

found && exit 0
install_one_of nginx-light nginx && found && exit 0
echo "No nginx: install it (Debian's package is nginx-light)." >&2
exit 1
