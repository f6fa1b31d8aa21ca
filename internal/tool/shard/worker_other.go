//go:build !linux

package shard

import (
	"os"
	"os/exec"
)

func isolate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func limitMemory(*exec.Cmd, int64) {}

func peakMemory(*os.ProcessState) int64 { return 0 }
