#!/bin/sh
# Installs SWI-Prolog from Debian's packages where it is missing. The tests of the Prolog predicates run it;
# without it they say that they are skipped.
set -eu

if command -v swipl >/dev/null 2>&1; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "install-prolog: swipl is missing and there is no apt-get; install SWI-Prolog by hand" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
fi
$as_root apt-get update
$as_root apt-get install -y --no-install-recommends swi-prolog-nox
