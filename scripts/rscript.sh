#!/bin/sh
# Find R with jsonlite, which the program for R that researchers download needs, else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    command -v Rscript >/dev/null && Rscript -e 'library(jsonlite)' >/dev/null 2>&1
}

found && exit 0
# The package of jsonlite brings R itself.
install_one_of r-cran-jsonlite && found && exit 0
echo "No R with jsonlite: install both (Debian's packages are r-base-core and r-cran-jsonlite)." >&2
exit 1
