#!/bin/sh
# Installs what the browser tests need where it is missing: Debian's Chromium, a font, and the two packages of
# tests/browser (a driver and an accessibility checker, both for tests only). Needs node and npm.
set -eu
cd "$(dirname "$0")/.."
if ! command -v chromium >/dev/null 2>&1; then
    apt-get update
    apt-get install -y --no-install-recommends chromium fonts-dejavu-core
fi
command -v node >/dev/null 2>&1 || { echo "node is missing: install nodejs and npm first" >&2; exit 1; }
npm ci --prefix tests/browser --no-audit --no-fund
