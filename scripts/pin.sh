#!/bin/sh
# Pin NAME.in, with all that it needs in turn and the hashes of every file, into NAME.txt.
# What is pinned already stays; `rm NAME.txt` first to take the newest of what nobody pinned.
set -eu
uv=$1 name=$2
"$uv" pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes \
    --no-annotate --custom-compile-command "make pins" "$name.in" --output-file "$name.txt"
