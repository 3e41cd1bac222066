#!/bin/sh
# Installs what the tests use and this machine lacks, from Debian's packages and npm. Nothing of it is needed to build
# or to run the program.
#
#     scripts/install-tools.sh              everything
#     scripts/install-tools.sh browser go   only these; their names are in the list below
#
# What cannot be installed is said, and the exit code is 1; the tests skip what needs it and say so, or fail where
# REQUIRE names it.
set -u
cd "$(dirname "$0")/.."

all="python java node c++ go prolog bubblewrap fuse zip browser page"
failed=

say() { echo "install-tools: $*" >&2; }

fail() { # the tool, and why
    case "$failed " in *" $1 "*) return ;; esac
    say "$1: $2"
    failed="$failed $1"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Any Chromium will do. The one without windows of its own is the smallest and quickest.
has_chromium() {
    [ -n "${CHROMIUM:-}" ] && return
    for browser in chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome; do
        has "$browser" && return
    done
    return 1
}

# Whether npm installed the packages that the lock file names, and not others.
has_npm_packages() { cmp -s package-lock.json node_modules/.installed; }

updated=
apt_install() { # the tool, then its packages
    tool=$1
    shift
    if ! has apt-get; then
        fail "$tool" "there is no apt-get; install it by hand ($* on Debian)"
        return 1
    fi
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif has sudo && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        fail "$tool" "only root can install packages; as root: apt-get install $*"
        return 1
    fi
    if [ -z "$updated" ]; then
        $as_root apt-get update -qq || say "the lists of packages could not be brought up to date"
        updated=yes
    fi
    if ! DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$@"; then
        fail "$tool" "apt-get could not install $*"
        return 1
    fi
}

install_node() {
    { has node && has npm; } || apt_install node nodejs npm || return
    node scripts/node-version.js || fail node "this node is too old for the tests in a browser"
}

install_npm_packages() {
    has_npm_packages && return
    { has node && has npm; } || install_node || return
    if npm ci --prefer-offline --no-audit --no-fund; then
        cp package-lock.json node_modules/.installed
    else
        fail page "npm could not install the packages of package.json"
    fi
}

install_bubblewrap() {
    has bwrap || apt_install bubblewrap bubblewrap || return
    bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true 2>/dev/null \
        || fail bubblewrap "it is installed but may make no namespaces here, as in most containers"
}

# shellcheck disable=SC2086
for name in ${*:-$all}; do
    case $name in
        # The system's own interpreter: programs in the box may not see one in somebody's home.
        python) [ -x /usr/bin/python3 ] || apt_install python python3 ;;
        java) has javac || apt_install java default-jdk-headless ;;
        node) install_node ;;
        c++) has g++ || apt_install c++ g++ ;;
        go) has go || apt_install go golang-go ;;
        prolog) has swipl || apt_install prolog swi-prolog-nox ;;
        bubblewrap) install_bubblewrap ;;
        fuse) /usr/bin/python3 -c "import pyfuse3" 2>/dev/null || apt_install fuse fuse3 python3-pyfuse3 ;;
        zip) { has zip && has unzip; } || apt_install zip zip unzip ;;
        browser)
            has_chromium || apt_install browser chromium-headless-shell fonts-dejavu-core
            install_npm_packages
            ;;
        page) install_npm_packages ;;
        # Not among all: it is compiled, which takes longer than the tests.
        deny) has cargo-deny || cargo install --locked cargo-deny || fail deny "cargo could not install cargo-deny" ;;
        *) fail "$name" "this is none of the tools: $all deny" ;;
    esac
done

if [ -n "$failed" ]; then
    say "not available:$failed. The tests skip what needs them; with REQUIRE=all they fail."
    exit 1
fi
