#!/bin/sh
# Find nginx, Caddy and systemd's checks for the tests of deploy/, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

find_or_install() {
    command -v "$1" >/dev/null && return 0
    shift
    install_one_of "$@"
}

export PATH="$PATH:/usr/sbin"
find_or_install nginx nginx-light nginx || missing=nginx
find_or_install caddy caddy || missing="${missing:-} Caddy"
find_or_install systemd-analyze systemd || missing="${missing:-} systemd-analyze"
find_or_install openssl openssl || missing="${missing:-} openssl"
[ -z "${missing:-}" ] || { echo "Not found, and not installed: $missing" >&2; exit 1; }
