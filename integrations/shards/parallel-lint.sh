#!/bin/sh
# Checks a list of packages in N parts with GNU parallel, here or on the machines of its --sshlogin:
#
#     parallel-lint.sh packages.tsv results 16 [OPTION OF parallel...]
#
# Run it again after an interruption: parallel passes over the parts that are done, and the others do what is missing. (With
# --resume alone, it would also pass over parts that failed or were killed.) The log is for this list and this version.
set -eu
list=$1 out=$2 parts=$3
shift 3
mkdir -p "$out"
log=$out/joblog-$({ sframe-lint version; echo "$parts"; cat "$list"; } | cksum | tr ' ' -)
seq 0 $((parts - 1)) | parallel --joblog "$log" --resume-failed --line-buffer "$@" \
  sframe-lint --no-config --manifest "$list" --out "$out" --shard "{}/$parts" --jobs 1
sframe-lint collect --statistics "$out"
