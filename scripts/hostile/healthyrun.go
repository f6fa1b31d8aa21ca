//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// healthyModes are the commands that are run on healthy files.
var healthyModes = [][]string{{"--no-config"}, {"coverage", "--gaps", "0", "--code"}}

// buildHealthy makes the healthy input with a number and prints its path.
func buildHealthy(number, dir string) error {
	i, err := strconv.Atoi(number)
	all := healthyInputs()
	if err != nil || i < 0 || i >= len(all) {
		return fmt.Errorf("no healthy input %q", number)
	}
	path := filepath.Join(dir, "program")
	fmt.Println(path)
	return all[i].build().write(path)
}

// healthy runs the program on healthy files of any size whose names match, and prints a table. Each
// status must be 0.
func (s *suite) healthy(only string) error {
	which, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	fmt.Println("| input | functions | bytes | command | status | memory | CPU time |")
	fmt.Println("|---|---|---|---|---|---|---|")
	wrong := 0
	for i, h := range healthyInputs() {
		if !which.MatchString(h.name) {
			continue
		}
		out, err := exec.Command(s.self, "-healthy", "-build", strconv.Itoa(i), "-dir", s.dir).Output()
		if err != nil {
			return err
		}
		path := strings.TrimSpace(string(out))
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		for _, args := range healthyModes {
			forget()
			cmd := exec.Command(s.program, append(args[:len(args):len(args)], path)...)
			text, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return err
			}
			use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			status := cmd.ProcessState.ExitCode()
			cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			fmt.Printf("| %s | %d | %d MB | %s | %d | %d MiB | %.1f s |\n", h.name, h.functions, info.Size()/1_000_000,
				strings.Join(args, " "), status, use.Maxrss>>10, cpu.Seconds())
			if status != 0 {
				wrong++
				fmt.Printf("    OVER: status %d: %.300q\n", status, text)
			}
		}
	}
	if wrong > 0 {
		return errors.New("a healthy file has findings, or exceeds a limit")
	}
	return nil
}
