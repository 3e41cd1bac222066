#!/usr/bin/env bash
# Plays one rating three times - alone, in parts under GNU parallel, in parts as a Slurm array - kills a part in the
# middle each time, lets it go on, and compares the results byte by byte.
#
#     cargo build --release && sudo scripts/cluster-demo.sh [path/to/casino]
#
# On Debian or Ubuntu, as root: installs GNU parallel and a Slurm for this one machine where they are missing. An
# existing Slurm is used as it is. What was started is stopped again; packages stay.
set -euo pipefail

casino=$(realpath "${1:-target/release/casino}")
[ -x "$casino" ] || { echo "there is no $casino: cargo build --release, or name the program" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "this script installs packages and starts services: run it as root" >&2; exit 2; }

parts=4
rounds=${ROUNDS:-16e6}
rating=(rate --bot cautious --bot reader --bot spades --bot bold --rounds "$rounds" --seed "a cluster" --jobs 1)
work=$(mktemp -d /tmp/cluster-demo.XXXXXX)
chmod 755 "$work"
cd "$work"

started=()
finish() {
    status=$?
    for ((at = ${#started[@]} - 1; at >= 0; at--)); do
        kill "${started[at]}" 2>/dev/null || true
    done
    if [ $status = 0 ]; then rm -rf "$work"; else echo "failed; everything is in $work" >&2; fi
}
trap finish EXIT

say() { printf '\n== %s\n' "$*"; }

missing=()
command -v parallel >/dev/null || missing+=(parallel)
command -v sbatch >/dev/null || missing+=(slurm-wlm)
command -v munged >/dev/null || missing+=(munge)
if [ ${#missing[@]} -gt 0 ]; then
    say "installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi

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
if ! sinfo >/dev/null 2>&1; then
    [ -s /etc/munge/munge.key ] || mungekey --create
    chown munge: /etc/munge/munge.key
    mkdir -p /run/munge /var/log/munge && chown munge: /run/munge /var/log/munge
    if ! munge -n >/dev/null 2>&1; then
        runuser -u munge -- munged --foreground >munged.log 2>&1 &
        started+=($!)
    fi
    mkdir state spool
    cat >slurm.conf <<CONF
ClusterName=demo
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=demo Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$work/slurm.conf
    slurmctld -D >slurmctld.out 2>&1 &
    started+=($!)
    slurmd -D >slurmd.out 2>&1 &
    started+=($!)
    for _ in $(seq 100); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && break
        sleep 0.3
    done
    sinfo
fi
mkdir slurm
cat >array.sh <<JOB
#!/bin/sh
#SBATCH --array=1-$parts
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=$work/slurm-%a.out --open-mode=append
exec "$casino" $(printf '%q ' "${rating[@]}") --shard auto --part $work/slurm/\$SLURM_ARRAY_TASK_ID.json
JOB
submit() { sbatch --wait --parsable "$@" array.sh; }
submit &
runs=$!
kill_a_part "$work/slurm/3.json"
wait $runs && { echo "Slurm did not notice that a task was killed" >&2; exit 1; }
echo "Slurm reports a failed task; the same array again:"
submit
grep -H . "$work"/slurm-*.out
compare slurm

say "everything agreed"
