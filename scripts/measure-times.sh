#!/bin/sh
# How long somebody waits who begins with nothing but a Rust toolchain: a fresh clone of what is committed here, an
# empty cache of crates and an empty target folder. A figure is only worth something on a machine that does nothing else.
#
#     scripts/measure-times.sh           everything: the first card, the demo's end, rebuilding, `make test`
#     scripts/measure-times.sh first     only up to the demo's end
#     scripts/measure-times.sh rebuild   only rebuilding after a change, in a clone of its own
#
# Each line has the seconds on the clock since the clone began, or those of one step, and the seconds of processor time
# that the step took. What the steps printed stays in a folder that is named at the end if one of them failed.
set -eu
cd "$(dirname "$0")/.."
what=${1:-all}
case $what in all | first | rebuild) ;; *) echo "measure-times: $what is none of all, first, rebuild" >&2; exit 2 ;; esac

from=$(pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/casino-times-XXXXXX")
# The users that judged programs become have to find what is built there.
chmod 755 "$place"
# The toolchain is the machine's; what cargo downloads goes into the empty folder.
RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
CARGO_HOME=$place/cargo
export RUSTUP_HOME CARGO_HOME
unset CARGO_TARGET_DIR CARGO_INCREMENTAL
for name in $(env | sed -n 's/^\(CARGO_PROFILE_[A-Z_0-9]*\)=.*/\1/p'); do unset "$name"; done

now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%7.1f s", $2 - $1 }'; }
# The processor time of the shell's ended children, user and system together.
spent() { awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }'; }

failed() {
    echo "measure-times: $1 failed; the end of what it printed (all of it is in $place):" >&2
    tail -n 20 "$place/$1.log" >&2
    exit 1
}

step() { # its name, the file for what it prints, then the command, run in the clone
    name=$1
    log=$2
    shift 2
    begun=$(now)
    times >"$place/times"
    before=$(spent <"$place/times")
    (cd "$place/clone" && "$@") >"$place/$log.log" 2>&1 </dev/null || failed "$log"
    times >"$place/times"
    after=$(spent <"$place/times")
    echo "$(since "$begun")  $(echo "$before $after" | awk '{ printf "%7.1f s", $2 - $1 }') CPU  $name"
}

first_card() {
    # The demo prints its first round as soon as it has been dealt; until then only cargo has printed something.
    mkfifo "$place/lines"
    (cd "$place/clone" && exec make demo) >"$place/lines" 2>"$place/demo.log" </dev/null &
    demo=$!
    seen=
    while IFS= read -r line; do
        case $line in
            "" | cargo\ * | make* | *"/demo/casino"*) continue ;;
        esac
        [ -n "$seen" ] || echo "$(since "$start")             clone to the first card: $line"
        seen=yes
    done <"$place/lines"
    wait "$demo" || failed demo
    [ -n "$seen" ] || { echo "measure-times: the demo printed nothing" >&2; exit 1; }
    echo "$(since "$start")             clone to the end of make demo"
}

echo "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) cores, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown), $(rustc --version)"
start=$(now)
git clone --quiet "$from" "$place/clone"
echo "$(since "$start")             git clone"
if [ "$what" != rebuild ]; then first_card; fi
if [ "$what" != first ]; then
    # `cargo build` is what somebody who changes the program works with.
    step "cargo build, the first time" build cargo build
    step "cargo check, the first time" check cargo check
    for file in src/cli/mod.rs crates/stud/src/stud/round.rs; do
        touch "$place/clone/$file"
        step "cargo check after touching $file" check cargo check
        touch "$place/clone/$file"
        step "cargo build after touching $file" build cargo build
    done
fi
if [ "$what" = all ]; then
    rm -rf "$place/clone/target"
    step "make test, with crates downloaded and nothing built" test make test
    grep -h '^test result' "$place/test.log" | awk '{ passed += $4; failed += $6; ignored += $8 }
        END { print "          " passed " passed, " failed " failed, " ignored " ignored" }'
fi
rm -rf "$place"
