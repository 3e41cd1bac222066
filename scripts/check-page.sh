#!/bin/sh
# Checks the form, the habits and the types of the page's scripts and styles and of the tests in a browser: prettier,
# eslint and tsc, as package.json pins them. Skipped where node or npm is missing: neither is needed to build. With
# REQUIRE=all, or node in its list, that is a failure.
set -eu
cd "$(dirname "$0")/.."

skip() {
    case ",${REQUIRE:-}," in
        *,all,* | *,node,*)
            echo "check-page: REQUIRE=$REQUIRE, but the page would not be checked: $1" >&2
            exit 1
            ;;
    esac
    echo "SKIPPED: the page's scripts and styles are not checked, because $1." >&2
    exit 0
}

command -v node >/dev/null 2>&1 || skip "there is no node here"
command -v npm >/dev/null 2>&1 || skip "there is no npm here"
node scripts/node-version.js || skip "node is too old"
scripts/install-tools.sh page || skip "its tools could not be installed"
npm run --silent check
