#!/bin/sh
# Compiles everything with the oldest Rust that Cargo.toml names. Skipped where that toolchain is not installed; with
# msrv in the list of REQUIRE that is a failure. `all`, which is about the tests, does not stand for it.
set -eu
cd "$(dirname "$0")/.."
oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

if cargo "+$oldest" --version >/dev/null 2>&1; then
    exec cargo "+$oldest" check --all-targets --quiet
fi
case ",${REQUIRE:-}," in
    *,msrv,*)
        echo "check-msrv: REQUIRE=$REQUIRE, but there is no Rust $oldest here" >&2
        exit 1
        ;;
esac
echo "SKIPPED: nothing is compiled with Rust $oldest, because it is not here (rustup toolchain install $oldest)." >&2
