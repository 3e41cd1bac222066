#!/bin/sh
# Breaks a copy of the sources in one place after the other, and has those tests look for each that should find it: for the
# faults of tests/simulate/faults the simulator within DAYS days (400 if nothing is said), for those of tests/planted the
# tests that they name. A fault that nothing finds is an error. Words after the command choose faults by their names.
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
missed=0
found=0
# The rooms of the core are compiled anew for each fault: that takes longer than the days.
build() {
    (cd "$copy" && $cargo test --quiet --config 'profile.dev.package.casino-stud.opt-level=0' "$@")
}
# What the simulator says of the day on which it found the fault.
found_by_the_simulator() {
    seed=$(sed -n 's/^The day of seed \([0-9]*\) breaks a promise.*/\1/p' "$1" | head -1)
    why=$(sed -n '/^What went wrong:/{n;s/^ *//;p;q;}' "$1" | cut -c1-150)
    [ -n "$seed" ] && echo "on the day of seed $seed: $why"
}
# The first test that fails.
found_by_a_test() {
    sed -n 's/^---- \(.*\) stdout ----$/by \1/p' "$1" | grep . | head -1
}
for fault in "$copy"/tests/simulate/faults/*.patch "$copy"/tests/planted/*.patch; do
    name=$(basename "$fault" .patch)
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    # Words of cargo, which have no spaces in them.
    tests=$(sed -n 's/^Found by: //p' "$fault")
    looks=found_by_a_test
    if [ -z "$tests" ]; then
        tests="--test simulate -- --exact every_day_keeps_its_promises"
        looks=found_by_the_simulator
    fi
    patch --quiet --strip=1 --directory="$copy" <"$fault"
    log=$copy/$name.log
    # shellcheck disable=SC2086
    if ! build ${tests%% -- *} --no-run >"$log" 2>&1; then
        echo "$name: the broken sources do not compile; see $log"
        missed=$((missed + 1))
    elif DAYS=$days RUST_BACKTRACE=0 build $tests >"$log" 2>&1; then
        echo "$name: NOT FOUND by cargo test $tests"
        missed=$((missed + 1))
    elif where=$($looks "$log") && [ -n "$where" ]; then
        echo "$name: found $where"
        found=$((found + 1))
    else
        echo "$name: its tests themselves failed; see $log"
        missed=$((missed + 1))
    fi
    patch --quiet --reverse --strip=1 --directory="$copy" <"$fault"
done
echo "$found faults found, $missed missed"
[ "$missed" -eq 0 ]
