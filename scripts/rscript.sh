#!/bin/sh
# Find R with jsonlite, which the program for R that researchers download needs, and with haven, which
# reads our files for SPSS, Stata and R back; else install Debian's.
set -eu
. "$(dirname "$0")/debian.sh"

found() {
    command -v Rscript >/dev/null && Rscript -e 'library(jsonlite); library(haven)' >/dev/null 2>&1
}

found && exit 0
# The packages bring R itself.
install_one_of r-cran-jsonlite && install_one_of r-cran-haven && found && exit 0
echo "No R with jsonlite and haven: install them (Debian: r-base-core, r-cran-jsonlite, r-cran-haven)." >&2
exit 1
