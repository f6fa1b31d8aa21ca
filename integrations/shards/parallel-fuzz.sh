#!/bin/sh
# Runs a campaign in N shards with GNU parallel, and joins them:
#
#     parallel-fuzz.sh campaign 'objdump --sframe @@' 10h 16 [OPTION OF parallel...]
set -eu
out=$1 target=$2 time=$3 parts=$4
shift 4
mkdir -p -- "$out"
# @PART@ stands for the shard, as {} may be in a name or a target. Run it again after an interruption: parallel passes over the shards that are done, and the others go on. Exit status 1 of a shard
# says that there are finds: it is done.
seq 0 $((parts - 1)) | parallel -q --joblog "$out/joblog" --resume-failed --line-buffer "$@" -I @PART@ \
  sh -c 'sframe-fuzz "$@" || [ $? -eq 1 ]' sh run --target "$target" --time "$time" --shard "@PART@/$parts" --out "$out/shard@PART@" --jobs 1
rm -rf -- "$out/all"
sframe-fuzz merge --out "$out/all" "$out"/shard*
