#!/usr/bin/env bash
# Runs once, when Gradescope builds the image of the autograder. Installs everything that submissions need to be built
# and run.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends bubblewrap default-jdk-headless g++ make nodejs python3
