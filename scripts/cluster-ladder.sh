#!/usr/bin/env bash
# Plays a batch of a practice ladder three times - match after match on one machine, under GNU parallel, as a Slurm array. A task is
# killed in the middle each time and the same command given again, one result is delivered twice, and one is forged: the
# forged one is refused, and the ratings are those of one machine, to the bit.
#
#     cargo build --release && sudo scripts/cluster-ladder.sh [path/to/casino]
#
# As root: cluster.sh installs what is missing. MATCHES says how many matches.
set -euo pipefail

kits=$(realpath "$(dirname "$0")/../bots")
. "$(dirname "$0")/cluster.sh"

matches=${MATCHES:-12}

say "three hand in, and are checked"
for name in ada bob cy; do
    mkdir -p handed-in/$name
    cp "$kits"/python/poker.py "$kits"/python/strategy.py handed-in/$name/
done
"$casino" ladder import spring handed-in
"$casino" ladder set spring decks=100 seats=6 >/dev/null
"$casino" ladder spring --matches 1
"$casino" ladder plan spring --matches "$matches" --out batch --hours 2

# Waits until some of a match has been written down, and kills whoever plays it without warning.
kill_a_task() { # the match's file
    local part=${1%.json}.part process
    for _ in $(seq 6000); do
        if [ -s "$part" ]; then
            process=$(pgrep -f -- "^$casino ladder run $1") || break
            echo "killing process $process: $(ps -o args= -p "$process")"
            kill -KILL "$process"
            return
        fi
        sleep 0.02
    done
    echo "there was nothing to kill in the middle of $1: play longer matches" >&2
    exit 1
}

# Takes the results of a folder in, backwards, one of them twice, and one forged before it comes as it is.
deliver() { # the folder
    local journals first
    mapfile -t journals < <(ls -r "$work/$1"/*.jsonl)
    [ ${#journals[@]} = "$matches" ] || { echo "$1 has ${#journals[@]} results of $matches" >&2; exit 1; }
    first=${journals[0]}
    cp -r spring "ladder-$1"
    mkdir "forged-$1"
    sed '0,/"reply":"fold"/s//"reply":"bet:0"/' "$first" >"forged-$1/$(basename "$first")"
    if cmp -s "$first" "forged-$1/$(basename "$first")"; then echo "nothing was forged" >&2; exit 1; fi
    if "$casino" ladder take "ladder-$1" "forged-$1"/*.jsonl; then echo "a forged result was taken" >&2; exit 1; fi
    "$casino" ladder take "ladder-$1" "${journals[@]}" "$first" | tail -1
    "$casino" ladder verify "ladder-$1"
    "$casino" ladder status "ladder-$1" --json >"$1.status"
}

# The same ratings, to the last digit of each number.
compare() {
    cmp alone.status "$1.status"
    echo "the ratings are those of one machine, to the bit"
}

say "alone, one match after the other"
cp -r batch alone
time for file in "$work"/alone/*.json; do "$casino" ladder run "$file"; done
deliver alone

say "GNU parallel"
cp -r batch parallel
in_parallel() {
    parallel --will-cite --jobs 2 --joblog parallel.log --resume-failed "$casino" ladder run {} ::: "$work"/parallel/*.json
}
in_parallel &
runs=$!
kill_a_task "$(ls "$work"/parallel/*.json | sed -n 2p)"
wait $runs && { echo "parallel did not notice that a task was killed" >&2; exit 1; }
echo "parallel reports a failed task; the same command again:"
in_parallel
deliver parallel
compare parallel

say "Slurm, an array of $matches tasks"
start_slurm
cp -r batch slurm
ls "$work"/slurm/*.json >slurm.files
slurm_array "$matches" kill_a_task "$(sed -n 2p slurm.files)" <<JOB
exec "$casino" ladder run "\$(sed -n "\${SLURM_ARRAY_TASK_ID}p" "$work/slurm.files")"
JOB
deliver slurm
compare slurm

say "everything agreed"
