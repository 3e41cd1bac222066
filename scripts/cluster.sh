# What the demonstrations on real engines have in common; it is sourced. `casino` is the program, and it is run as root.
#
# On Debian or Ubuntu GNU parallel and a Slurm for this one machine are installed where they are missing. An existing Slurm is
# used as it is. What was started is stopped again; packages stay.

casino=$(realpath "${1:-target/release/casino}")
[ -x "$casino" ] || { echo "there is no $casino: cargo build --release, or name the program" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "this script installs packages and starts services: run it as root" >&2; exit 2; }

work=$(mktemp -d /tmp/cluster-demo.XXXXXX)
chmod 755 "$work"
cd "$work"

started=()
finish() {
    status=$?
    for ((at = ${#started[@]} - 1; at >= 0; at--)); do
        kill "${started[at]}" 2>/dev/null || true
        wait "${started[at]}" 2>/dev/null || true
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

# Starts a Slurm for this machine, unless there is one.
start_slurm() {
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
}

# Plays a Slurm array of so many tasks, each of which does what standard input says. One of them is killed, by the command that
# follows, and the same array is submitted again.
slurm_array() { # how many tasks, how one is killed
    local tasks=$1 runs
    shift
    cat - >task.sh
    cat - task.sh >array.sh <<JOB
#!/bin/sh
#SBATCH --array=1-$tasks
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=$work/slurm-%a.out --open-mode=append
JOB
    sbatch --wait --parsable array.sh &
    runs=$!
    "$@"
    wait $runs && { echo "Slurm did not notice that a task was killed" >&2; exit 1; }
    echo "Slurm reports a failed task; the same array again:"
    sbatch --wait --parsable array.sh
    grep -H . "$work"/slurm-*.out
}
