#!/bin/sh
# Find LibreOffice, which opens our workbooks in the tests, else install Debian's without windows.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    command -v soffice >/dev/null
}

found && exit 0
install_one_of libreoffice-calc-nogui libreoffice-calc && found && exit 0
echo "No LibreOffice: install its spreadsheet (Debian's package is libreoffice-calc-nogui)." >&2
exit 1
