//go:build !unix

package fuzzcmd

import (
	"os"
	"os/exec"
)

// Where there are no signals and groups, a command is just ended.

func isolate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func signalOf(*os.ProcessState) int { return 0 }

func signalNamed(string) int { return 0 }
