#!/bin/sh
# Installs what the browser tests need where it is missing: node, Debian's Chromium with a font, and the packages of
# package.json (for tests and checks only). What cannot be installed is said; the
# tests skip what needs it.
set -eu
cd "$(dirname "$0")/.."

as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
fi
chromium() {
    [ -n "${CHROMIUM:-}" ] || command -v chromium || command -v chromium-browser \
        || command -v google-chrome-stable || command -v google-chrome
}

missing=
chromium >/dev/null 2>&1 || missing="chromium fonts-dejavu-core"
command -v node >/dev/null 2>&1 || missing="$missing nodejs"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "install-browser: missing:$missing, and there is no apt-get; install them by hand" >&2
        exit 1
    fi
    $as_root apt-get update
    # shellcheck disable=SC2086
    $as_root apt-get install -y --no-install-recommends $missing
fi
# Only when the lock file says something else than what is there.
if ! cmp -s package-lock.json node_modules/.installed; then
    npm ci --no-audit --no-fund
    cp package-lock.json node_modules/.installed
fi
