#!/bin/sh
# Find WebKitGTK with its driver, and Xvfb for its windows, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null
}

found && exit 0
# The package of the driver brings WebKitGTK itself, with the browser that it starts.
install_one_of webkit2gtk-driver && install_one_of xvfb && found && exit 0
echo "No WebKitGTK: install its driver and Xvfb (Debian's packages are webkit2gtk-driver and xvfb)." >&2
exit 1
