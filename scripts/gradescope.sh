#!/usr/bin/env bash
# Builds the zip that Gradescope takes as an autograder: a binary that needs no library, and the two scripts.
#
#     scripts/gradescope.sh [OUT.zip [BINARY]]
#
# With a BINARY nothing is built. A folder rubric/ with a rubric.json beside this file's folder goes into the zip.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/casino-gradescope.zip}
target_dir=${CARGO_TARGET_DIR:-target}

if [ $# -ge 2 ]; then
  binary=$2
else
  host=$(rustc -vV | sed -n 's/^host: //p')
  # The target is named although it is the host's: only then are build scripts not linked this way too.
  RUSTFLAGS="-C target-feature=+crt-static" ${CARGO:-cargo} build --release --quiet --target "$host"
  binary=$target_dir/$host/release/casino
  if ldd "$binary" 2>&1 | grep -q '=>'; then
    echo "$binary still needs libraries:" >&2
    ldd "$binary" >&2
    exit 1
  fi
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp gradescope/setup.sh gradescope/run_autograder "$folder/"
cp "$binary" "$folder/casino"
if [ -f rubric/rubric.json ]; then
  cp -r rubric "$folder/rubric"
fi
chmod 755 "$folder/setup.sh" "$folder/run_autograder" "$folder/casino"
mkdir -p "$(dirname "$out")"
rm -f "$out"
out=$(realpath "$out")
(cd "$folder" && zip -q -r "$out" .)
echo "$out"
