#!/usr/bin/env bash
# portable.sh [STEP...] - cudacpu's other two ways to switch between threads: setjmp, and aarch64 under qemu-user. Each step, or
# these, must give the bits of the native build at n = 33 and n = 100, and the runtime, the device features and the faults must
# answer alike.
set -u
cd "$(dirname "$0")/../.." || exit 1
sizes='33 100'
faults=('write_past 1' 'write_past 255' 'write_past 256' write_far read_past null barriers early assert trap host_write
    host_read after_free shared host_after_free)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "portable: $*"; failed=$((failed + 1)); }

steps=()
[ $# -gt 0 ] || set -- [0-9][0-9]_*/matmult.cu
for step; do steps+=("${step%/matmult.cu}"); done
cases=() # objects of the runtime's and the features' cases
for source in cudacpu/tests/conformance.cu cudacpu/tests/features.c cudacpu/tests/features_*.cu cudacpu/more/tests/features_*.cu; do cases+=("${source%.*}.o"); done

# The hash of each product and the sentence of each fault. Which of two blocks meets its fault first is chance, and the
# line of a write between an allocation's end and its guard page is known on x86-64 only.
record() { # build, command before each program...
    local build=$1/cpu step n fault status line
    shift
    for step in "${steps[@]}"; do
        for n in $sizes; do
            "$@" "$build/$step/run" --csv -n "$n" >"$work/out" 2>"$work/errors"
            status=$?
            [ $status -eq 77 ] && echo "$step n=$n: cannot run here" && continue
            echo "$step n=$n: status $status, hash $(tail -n 1 "$work/out" | sed 's/.*,//')"
        done
    done
    for fault in "${faults[@]}"; do
        case $fault in 'write_past 1' | 'write_past 255') line='s/, at .*//; s/, launched at .*//' ;; *) line= ;; esac
        # shellcheck disable=SC2086
        "$@" "$build/cudacpu/tests/faults/run" $fault 2>&1 >/dev/null | sed "s/block ([0-9,]*)//; $line"
    done
}

build() { # folder, make's variables...
    local folder=$1 targets
    shift
    targets=("$folder/cpu/cudacpu/tests/faults/run" "${cases[@]/#/$folder/cpu/}")
    for step in "${steps[@]}"; do targets+=("$folder/cpu/$step/run"); done
    make -j2 BACKEND=cpu BUILD="$folder" "$@" "${targets[@]}" >"$work/log" 2>&1 && return
    tail -n 20 "$work/log"
    wrong "$folder does not build"
    false
}

# name, CC, CXX, the compiler's flags, the linker's, a command before each program
try() {
    local name=$1 folder=build/portable/$1 flags=$4 link=$5 before=$6
    build "$folder" CC="$2" CXX="$3" CPUFLAGS="$flags" LDFLAGS="$link" MPI_CFLAGS= MPI_LIBS= || return # MPI is this machine's
    # shellcheck disable=SC2086
    if CC=$2 CXX=$3 cudacpu/cpucc $flags $link -Icudacpu/tests cudacpu/tests/portable/cases.c \
        "${cases[@]/#/$folder/cpu/}" -o "$folder/cases"; then
        $before "$folder/cases" || wrong "$name: the runtime or a device feature does not answer as it should"
    else
        wrong "$name: the cases do not link"
    fi
    # shellcheck disable=SC2086
    record "$folder" $before >"$work/$name"
    if diff "$work/native" "$work/$name"; then
        echo "portable: $name: $(grep -c 'status 0' "$work/$name") products have the native bits," \
            "${#faults[@]} faults have the native sentence"
    else
        wrong "$name differs from the native build"
    fi
}

build build || exit 1
record build >"$work/native"
grep -q 'status 0' "$work/native" || wrong "no step ran"
! grep 'there is no fault' "$work/native" || wrong "the list of faults above is out of date"
try setjmp "${CC:-gcc}" "${CXX:-g++}" "-O3 -DCUDACPU_FIBER_SETJMP" "" ""
missing=
for tool in aarch64-linux-gnu-{gcc,g++,addr2line} qemu-aarch64; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ "$(uname -m)" = aarch64 ]; then
    echo "SKIP aarch64: this machine is one, the suite has run on it"
elif [ -n "$missing" ]; then
    echo "SKIP aarch64: not here:$missing (Debian: g++-aarch64-linux-gnu, qemu-user)"
else
    ln -s "$(command -v aarch64-linux-gnu-addr2line)" "$work/addr2line" # the sentences' lines come from it
    PATH=$work:$PATH try aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ -O3 -static qemu-aarch64
fi
[ $failed -eq 0 ]
