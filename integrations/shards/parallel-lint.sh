#!/bin/bash
# Checks a list of packages in N parts with GNU parallel, here or on the machines of its --sshlogin:
#
#     parallel-lint.sh packages.tsv results 16 [OPTION OF parallel...]
#
# Run it again after an interruption: parallel skips the parts that are done, and the others do what is missing. (With
# --resume alone, it would also skip parts that failed or were killed.) The log is for this list and this version.
set -eu
list=$1 out=$2 parts=$3
shift 3
mkdir -p -- "$out"
log=$out/joblog-$({ sframe-lint --version; echo "$parts"; cat -- "$list"; } | cksum | tr ' ' -)
# Names may have any characters: --quote hands the words of the array to the program as they are, and @PART@ stands
# for the part, as {} may be in a name.
part=(sframe-lint --list "$list" --results "$out" --shard "@PART@/$parts" --jobs 1 --no-config)
seq 0 $((parts - 1)) | parallel --joblog "$log" --resume-failed --line-buffer "$@" --quote -I @PART@ "${part[@]}"
sframe-lint --list "$list" --results "$out" --no-config --statistics
