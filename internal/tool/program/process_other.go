//go:build !unix

package program

import (
	"fmt"
	"os"
	"os/exec"
)

// Without signals and process groups, only the command itself is killed.

func isolate(*exec.Cmd) {}

// Kill kills a command.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func signalOf(*os.ProcessState) int { return 0 }

func rss(*os.ProcessState) int64 { return 0 }

// SignalNamed returns 0.
func SignalNamed(string) int { return 0 }

// SignalName returns a name for a signal.
func SignalName(n int) string { return fmt.Sprint("signal ", n) }
