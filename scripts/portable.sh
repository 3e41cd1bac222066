#!/bin/bash
# Shows that `casino` is one program on three systems, as far as one Linux machine can: builds it for Windows and
# compares it under Wine with the one for Linux, and type-checks it for macOS on both processors.
#
#     scripts/portable.sh             everything
#     scripts/portable.sh build       only what is built and type-checked
#     scripts/portable.sh run WORD…   only what runs under Wine, or of it what has one of the words in its sentence
#
# It needs root, because it makes a Debian of its own in target/portable/sid: the compiler, the standard library's
# source, the linker and Wine come from the distribution's packages alone. PORTABLE=DIR takes another folder for it,
# DEBIAN_MIRROR=URL another source of packages than debootstrap's own.
# Everything is kept for the next time: about 5 GB, and 2 GB of what is compiled.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
root=${PORTABLE:-$here/target/portable/sid}
kept=$here/target/portable
packages=ca-certificates,rustc,cargo,rust-src,gcc-mingw-w64-x86-64,g++-mingw-w64-x86-64,libc6-dev,gcc,wine,wine64
cargo=${CARGO:-cargo}

missing() {
    echo "make portable cannot run here: $1" >&2
    exit 2
}

# What the machine itself must have.
prepare() {
    [ "$(uname -s)" = Linux ] || missing "it compares Windows and macOS with Linux, and runs on Linux."
    [ "$(id -u)" = 0 ] || missing "it needs root, to make a Debian of its own in $root. Try: sudo make portable"
    if ! command -v debootstrap > /dev/null && [ ! -x "$root/usr/bin/wine" ]; then
        command -v apt-get > /dev/null || missing "debootstrap is not installed."
        apt-get install -y -q debootstrap
    fi
    for tool in unshare chroot python3 g++ "$cargo"; do
        command -v "$tool" > /dev/null || missing "$tool is not installed."
    done
}

# The Debian for the tools for other systems, if it is not there yet. It is made before anything is mounted in it.
make_root() {
    if [ -e "$root/.complete" ] || [ -e "$root/.made" ]; then
        return
    fi
    echo "Making a Debian in $root: this takes some minutes, once."
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase sid "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} > "$kept/debootstrap.log" 2>&1 ||
        missing "debootstrap failed: $kept/debootstrap.log says why."
    touch "$root/.made"
}

# The tools, from its packages.
install_tools() {
    if [ -e "$root/.complete" ]; then
        return
    fi
    inside env DEBIAN_FRONTEND=noninteractive sh -c "
        apt-get -o Acquire::Check-Valid-Until=false update -q &&
        apt-get install -y -q --no-install-recommends ${packages//,/ }" > "$kept/packages.log" 2>&1 ||
        missing "the packages cannot be installed: $kept/packages.log says why."
    touch "$root/.complete"
}

# Mounts in a name space of our own, which vanish with it: this project and cargo's registry at their own paths.
mount_all() {
    mkdir -p "$root"/{proc,dev} "$root$here" "$kept/cargo/registry" "$(registry)"
    mount --bind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mount --bind "$here" "$root$here"
    mount --bind "$(registry)" "$kept/cargo/registry"
    # Once more, so that what was mounted within is seen there too.
    mount --bind "$(registry)" "$root$kept/cargo/registry"
}

# The certificates that this machine trusts, as a copy: a package that is installed there writes its own into the folder.
copy_certificates() {
    local list=/etc/ssl/certs/ca-certificates.crt
    if [ -e "$list" ]; then
        mkdir -p "$root/etc/ssl/certs"
        cp -L "$list" "$root$list"
    fi
}

registry() {
    echo "${CARGO_HOME:-$HOME/.cargo}/registry"
}

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}

# cargo for another system. The standard library is compiled too: Debian has it for Linux only. That is allowed to
# nightly compilers, and to those that are told so.
cross_cargo() {
    inside CARGO_HOME="$kept/cargo" CARGO_TARGET_DIR="$kept/build" RUSTC_BOOTSTRAP=1 CARGO_PROFILE_DEV_DEBUG=0 \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
        env -C "$1" cargo "${@:2}" -Z build-std=std,panic_abort
}

# Says what is done, and what came of it.
step() {
    local words=$1 log=$kept/${1//[^a-zA-Z0-9]/-}.log began=$SECONDS
    shift
    if "$@" > "$log" 2>&1; then
        echo "ok      $words ($((SECONDS - began)) s)"
    else
        echo "FAILED  $words: $log"
        tail -n 40 "$log" >&2
        exit 1
    fi
}

build_for_windows() {
    local windows=$kept/programs/windows debug=$kept/build/x86_64-pc-windows-gnu/debug
    cross_cargo "$here" build --locked --bin casino --target x86_64-pc-windows-gnu
    cross_cargo "$here/tests/portable/programs" build --locked --target x86_64-pc-windows-gnu
    mkdir -p "$windows"
    cp "$debug"/{casino,rust-kit,faulty}.exe "$windows/"
    inside env -C "$here/bots/cpp" x86_64-w64-mingw32-g++ -std=c++17 -O2 -Wall -Wextra -static \
        -o "$windows/cpp-kit.exe" poker.cpp strategy.cpp -lws2_32
}

build_for_linux() {
    local linux=$kept/programs/linux target=${CARGO_TARGET_DIR:-$here/target}
    "$cargo" build --locked --bin casino
    (cd tests/portable/programs && CARGO_TARGET_DIR=$target "$cargo" build --locked)
    mkdir -p "$linux"
    cp "$target"/debug/{casino,rust-kit,faulty} "$linux/"
    g++ -std=c++17 -O2 -Wall -Wextra -o "$linux/cpp-kit" bots/cpp/poker.cpp bots/cpp/strategy.cpp
}

build() {
    step "crates are here" "$cargo" fetch --locked
    step "casino and the kits in Rust and C++ for Linux" build_for_linux
    step "casino and the kits in Rust and C++ for Windows" build_for_windows
    for target in aarch64-apple-darwin x86_64-apple-darwin; do
        step "type-checks for $target" cross_cargo "$here" check --locked --target "$target"
    done
}

run() {
    step "Wine is set up" inside WINEPREFIX="$kept/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" wineboot --init
    echo "Under Wine: $(inside wine --version 2> /dev/null), $(inside rustc --version)"
    python3 tests/portable/run.py --linux "$kept/programs/linux" --windows "$kept/programs/windows" \
        --root "$root" --prefix "$kept/wine" --scratch "$kept/scratch" "$@"
}

if [ -z "${INSIDE_PORTABLE:-}" ]; then
    prepare
    mkdir -p "$kept"
    # Mounts and processes of its own: whatever happens, nothing of either is left.
    exec env INSIDE_PORTABLE=yes unshare --mount --pid --fork --kill-child "$0" "$@"
fi
mount -t proc proc /proc
make_root
mount_all
copy_certificates
install_tools
copy_certificates
case ${1:-all} in
    all) build && run ;;
    build) build ;;
    run) run "${@:2}" ;;
    *) missing "no such word: $1" ;;
esac
