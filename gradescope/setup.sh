#!/usr/bin/env bash
# Runs once, when Gradescope builds the image of the autograder: everything that submissions are built and run with.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends bubblewrap default-jdk-headless g++ make nodejs python3
