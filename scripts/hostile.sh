#!/bin/sh
# Runs the programs that try to get out of the box, HOSTILE times each, as whoever calls this; if that is root, as another
# user too, to whom the folders of this project have to be open.
set -eu
cargo=${CARGO:-cargo}
test=$("$cargo" test --test hostile --no-run --message-format json |
    sed -n 's/.*"name":"hostile".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -n "$test" ] || { echo "the test program hostile was not built" >&2; exit 1; }
export CARGO_MANIFEST_DIR="$PWD" HOSTILE="${HOSTILE:-20}"
"$test" --nocapture
[ "$(id -u)" = 0 ] || exit 0
if ! command -v setpriv >/dev/null; then
    echo "setpriv (of util-linux) is missing: the programs were not run as another user" >&2
    exit 1
fi
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
chown 65534:65534 "$home"
HOME="$home" PATH=/usr/local/bin:/usr/bin:/bin setpriv --reuid 65534 --regid 65534 --clear-groups "$test" --nocapture
