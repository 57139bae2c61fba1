# To be read by the scripts that find programs for the tests.

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Install the first of these packages that there is; fails without apt-get or the right to use it.
install_one_of() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || return 1
    echo "Installing $1 with apt-get ..."
    as_root apt-get update -qq
    for package in "$@"; do
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null && return 0
    done
    return 1
}
