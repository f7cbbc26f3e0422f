#!/bin/sh
# needs_target.sh ARCH STEP.CONF - prints the target of nvcc that the step needs (its step.conf) where ARCH is not enough.
# A target with a letter, sm_90a, is enough only for itself: such code runs on no later device.
arch=$1
target=$(sed -n 's/^[[:space:]]*target[[:space:]]*=[[:space:]]*\([a-z0-9_]*\).*/\1/p' "$2" 2>/dev/null)
number() { printf %s "$1" | tr -cd 0-9; }
case $target in
'' | "$arch") exit 0 ;;
*[a-z]) ;;
*) [ -n "$(number "$arch")" ] && [ "$(number "$arch")" -lt "$(number "$target")" ] || exit 0 ;;
esac
case $arch in *[0-9]*) echo "$target" ;; esac # native, all: nvcc decides
