#!/bin/bash
# Checks a list of packages as an array of Slurm jobs, and joins the results:
#
#     lint=$(sbatch --parsable --array=0-15 slurm-lint.sh packages.tsv results)
#     sbatch --dependency=afterany:$lint --wrap 'sframe-lint --list packages.tsv --results results --no-config --format html=report.html'
#
# All nodes must see the list, the packages and the results by the same paths. A task whose node fails is queued again
# and does what is missing; so is one that is killed on its node. The array must begin at 0.
#SBATCH --job-name=sframe-lint
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=sframe-lint-%A_%a.log
set -u
sframe-lint --list "$1" --results "$2" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_ON_NODE:-1}" --no-config
status=$?
if [ $status -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit $status
