#!/bin/bash
# Runs a campaign as an array of Slurm jobs, and joins the shards:
#
#     fuzz=$(sbatch --parsable --array=0-15 slurm-fuzz.sh campaign 'objdump --sframe @@' 10h)
#     sbatch --dependency=afterany:$fuzz --wrap 'sframe-fuzz merge --out all campaign/*'
#
# A task whose node fails is queued again and continues its shard.
#SBATCH --job-name=sframe-fuzz
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=sframe-fuzz-%A_%a.log
set -u
mkdir -p -- "$1"
sframe-fuzz run --target "$2" --time "$3" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$1/$SLURM_ARRAY_TASK_ID" --jobs "${SLURM_CPUS_ON_NODE:-1}"
status=$?
[ $status -eq 1 ] && exit 0 # finds are a result
exit $status
