#!/bin/sh
# deps.sh - installs what the tutorial needs and this machine lacks: a C and C++ compiler, make, Check; `deps.sh labs`: what
# the labs that are here need; `deps.sh mpi`: MPI too, for several processes.
set -eu
missing=
command -v gcc >/dev/null || missing="$missing gcc"
command -v g++ >/dev/null || missing="$missing g++"
if [ "${1:-}" = labs ]; then
    command -v python3 >/dev/null || missing="$missing python3"
    command -v bwrap >/dev/null || missing="$missing bubblewrap"
    if [ -d labs/lab3_portable ]; then
        [ -e /usr/include/CL/cl.h ] || missing="$missing ocl-icd-opencl-dev"
        ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 || missing="$missing pocl-opencl-icd"
    fi
    [ ! -d labs/lab4_report ] || command -v gnuplot >/dev/null || missing="$missing gnuplot-nox"
else
    command -v pkg-config >/dev/null || missing="$missing pkg-config"
    if ! command -v pkg-config >/dev/null || ! pkg-config --exists check; then missing="$missing check libsubunit-dev"; fi
fi
if [ "${1:-}" = mpi ] && ! { command -v mpirun && pkg-config --exists ompi-c; } >/dev/null 2>&1; then
    missing="$missing libopenmpi-dev openmpi-bin"
fi
if [ -z "$missing" ]; then
    echo "deps: nothing is missing"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "deps: no apt here; install:$missing (Check is https://libcheck.github.io/check, on Windows use WSL2)" >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "deps: needs root or sudo to install:$missing" >&2; exit 1; }
    sudo=sudo
fi
echo "deps: apt-get installs:$missing"
failed() { echo "deps: apt-get could not install:$missing (its own words are above)" >&2; exit 1; }
$sudo apt-get update -q || failed
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing || failed
