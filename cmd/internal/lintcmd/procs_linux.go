package lintcmd

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// procStat returns the state and the parent of a process. It reports false if the process has
// ended.
func procStat(pid int) (state byte, parent int, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	// The name, in parentheses, may contain anything.
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 2 || len(f[0]) != 1 {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(string(f[1]))
	return f[0][0], parent, err == nil
}

// isStopped reports whether a signal has stopped a process.
func isStopped(pid int) bool {
	state, _, ok := procStat(pid)
	return ok && state == 'T'
}

// descendants returns the processes that descend from one.
func descendants(of int) (all []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if _, parent, ok := procStat(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	all = children[of]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
