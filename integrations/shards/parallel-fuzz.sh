#!/bin/sh
# Runs a campaign in N shards with GNU parallel, and joins them:
#
#     parallel-fuzz.sh campaign 'objdump --sframe @@' 10h 16 [OPTION OF parallel...]
set -eu
out=$1 target=$2 time=$3 parts=$4
shift 4
mkdir -p "$out"
# Exit status 1 says that there are finds: the shard is done.
seq 0 $((parts - 1)) | parallel -q --joblog "$out/joblog" --resume --line-buffer "$@" \
  sframe-fuzz run --resume --target "$target" --time "$time" --shard "{}/$parts" --out "$out/shard{}" --jobs 1 || [ $? -le 101 ]
rm -rf "$out/all"
sframe-fuzz merge --out "$out/all" "$out"/shard*
