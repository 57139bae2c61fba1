#!/bin/sh
# Make the secrets that compose.yaml names, each in a file of secrets/ beside it; what is there stays.
# Containers read the files as other users, so their folder is what keeps everybody else out.
set -eu
umask 022
cd "$(dirname "$0")"
mkdir -p -m 0700 secrets
random() {
    od -An -v -N "$1" -t x1 /dev/urandom | tr -d ' \n'
}
make() {
    [ -s "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
}
make secret-key "$(random 48)"
make database-password "$(random 24)"
make broker-password "requirepass $(random 24)"
make database-url "postgres://candor:$(cat secrets/database-password)@database/candor"
make broker-url "redis://:$(cut -d ' ' -f 2 secrets/broker-password)@broker:6379/0"
