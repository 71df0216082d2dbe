#!/bin/sh
# A tiny course of training, with one thread and with two: train.sh TRAIN. Both must learn the same.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for threads in 1 2; do
    "$1" "$work/$threads.c" $threads tiny >"$work/out" 2>&1 || {
        cat "$work/out"
        exit 1
    }
done
cmp "$work/1.c" "$work/2.c"
