//go:build !unix

package fuzzcmd

import (
	"os"
	"os/exec"
)

// Without signals and process groups, only the command itself is killed.

func isolate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func signalOf(*os.ProcessState) int { return 0 }

func signalNamed(string) int { return 0 }
