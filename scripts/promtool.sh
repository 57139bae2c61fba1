#!/bin/sh
# Find promtool, which tries the rules for Prometheus in the tests, else take it out of Debian's
# package: installed, that would also start a Prometheus.
set -eu
. "$(dirname "$0")/debian.sh"
place=var/promtool

found() {
    command -v promtool >/dev/null || [ -x "$place/usr/bin/promtool" ]
}

found && exit 0
if command -v apt-get >/dev/null; then
    echo "Taking promtool out of Debian's package prometheus ..."
    mkdir -p "$place"
    cd "$place"
    apt-get download -qq prometheus 2>/dev/null ||
        { as_root apt-get update -qq && apt-get download -qq prometheus; }
    dpkg-deb --extract prometheus_*.deb .
    rm prometheus_*.deb
    cd - >/dev/null
    found && exit 0
fi
echo "No promtool: install Prometheus (Debian's package is prometheus)." >&2
exit 1
