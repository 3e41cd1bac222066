#!/bin/sh
# Breaks a copy of the sources in one place after the other, as tests/simulate/faults says, and has the simulator look for
# each: one that it does not find within DAYS days (400 if nothing is said) is an error. Words after the command choose
# faults by their names.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
days=${DAYS:-400}
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR
copy=$CARGO_TARGET_DIR/planted
rm -rf "$copy"
mkdir -p "$copy"
# Never where the sound program is: tests that run meanwhile would take a faulty one for it.
CARGO_TARGET_DIR=$copy/target
# With new times, so that nothing that was compiled of another copy is taken for this one.
git ls-files -z | tar --null --files-from=- --create | tar --extract --touch --directory="$copy"
faults=$copy/tests/simulate/faults
missed=0
found=0
# The rooms of the core are compiled anew for each fault: that takes longer than the days.
build() {
    (cd "$copy" && $cargo test --quiet --config 'profile.dev.package.casino-stud.opt-level=0' --test simulate "$@")
}
for fault in "$faults"/*.patch; do
    name=$(basename "$fault" .patch)
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    patch --quiet --strip=1 --directory="$copy" <"$fault"
    log=$copy/$name.log
    if ! build --no-run >"$log" 2>&1; then
        echo "$name: the broken sources do not compile; see $log"
        missed=$((missed + 1))
    elif DAYS=$days RUST_BACKTRACE=0 build -- --exact every_day_keeps_its_promises >"$log" 2>&1; then
        echo "$name: NOT FOUND in $days days"
        missed=$((missed + 1))
    else
        seed=$(sed -n 's/^The day of seed \([0-9]*\) breaks a promise.*/\1/p' "$log" | head -1)
        why=$(sed -n '/^What went wrong:/{n;s/^ *//;p;q;}' "$log" | cut -c1-150)
        if [ -n "$seed" ]; then
            echo "$name: found on the day of seed $seed: $why"
            found=$((found + 1))
        else
            echo "$name: the simulator itself failed; see $log"
            missed=$((missed + 1))
        fi
    fi
    patch --quiet --reverse --strip=1 --directory="$copy" <"$fault"
done
echo "$found faults found, $missed missed"
[ "$missed" -eq 0 ]
