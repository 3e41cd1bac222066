#!/bin/sh
# Checks the licences, the sources and the doubles of the dependencies, as deny.toml allows them, and whether any of them
# has an advisory against it. Skipped where cargo-deny is missing (`make tools` installs it); the advisories
# alone are skipped where their database cannot be reached. With deny in the list of REQUIRE both are failures; `all`,
# which is about the tests, does not stand for it.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}

skip() {
    case ",${REQUIRE:-}," in
        *,deny,*)
            echo "check-dependencies: REQUIRE=$REQUIRE, but $1" >&2
            exit 1
            ;;
    esac
    echo "SKIPPED: $1" >&2
}

if ! $cargo deny --version >/dev/null 2>&1; then
    skip "the dependencies are not checked, because there is no cargo-deny here (make tools)."
    exit 0
fi
$cargo deny --log-level error check licenses bans sources
if $cargo deny --log-level error fetch db >/dev/null 2>&1; then
    $cargo deny --log-level error check advisories
else
    skip "the dependencies' advisories are not looked at, because their database cannot be reached."
fi
