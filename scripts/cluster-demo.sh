#!/usr/bin/env bash
# Plays one rating three times - alone, in parts under GNU parallel, in parts as a Slurm array - kills a part in the
# middle each time, lets it go on, and compares the results byte by byte.
#
#     cargo build --release && sudo scripts/cluster-demo.sh [path/to/casino]
#
# As root: cluster.sh installs what is missing.
set -euo pipefail

. "$(dirname "$0")/cluster.sh"

parts=4
rounds=${ROUNDS:-16e6}
rating=(rate --bot cautious --bot reader --bot spades --bot bold --rounds "$rounds" --seed "a cluster" --jobs 1)

compare() {
    "$casino" merge "$1"/*.json --json >"$1.result"
    cmp alone.result "$1.result"
    echo "the merged result is the one of one machine, to the byte"
}

# Waits until some of a part has been written down, and kills whoever plays it without warning.
kill_a_part() { # the part's file
    local file=$1 process
    for _ in $(seq 6000); do
        if [ -s "$file" ] && ! grep -qE '"from":([0-9]+),"to":\1,' "$file"; then
            process=$(pgrep -f -- "^$casino rate .*--part $file") || break
            echo "killing process $process: $(ps -o args= -p "$process")"
            kill -KILL "$process"
            return
        fi
        sleep 0.05
    done
    echo "there was nothing to kill in the middle of $file: play more, as in ROUNDS=64e6 $0" >&2
    exit 1
}

say "alone"
time "$casino" "${rating[@]}" --json >alone.result

say "GNU parallel, $parts parts"
mkdir parallel
# --joblog and --resume-failed: what was not done is done by the same command again.
in_parallel() {
    parallel --will-cite --quote --jobs 2 --joblog parallel.log --resume-failed \
        "$casino" "${rating[@]}" --shard "{}/$parts" --part "$work/parallel/{}.json" ::: $(seq "$parts")
}
in_parallel &
runs=$!
kill_a_part "$work/parallel/2.json"
wait $runs && { echo "parallel did not notice that a part was killed" >&2; exit 1; }
echo "parallel reports a failed part; the merge refuses:"
if "$casino" merge parallel/*.json; then echo "the merge should have refused" >&2; exit 1; fi
echo "the same command again:"
in_parallel
compare parallel

say "Slurm, an array of $parts tasks"
start_slurm
mkdir slurm
slurm_array "$parts" kill_a_part "$work/slurm/3.json" <<JOB
exec "$casino" $(printf '%q ' "${rating[@]}") --shard auto --part $work/slurm/\$SLURM_ARRAY_TASK_ID.json
JOB
compare slurm

say "everything agreed"
