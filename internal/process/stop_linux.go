//go:build linux && (amd64 || arm64)

package process

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// task is a thread that is traced.
type task struct {
	stopped bool
	signal  int    // that it was about to get, and gets when it goes on
	missed  string // why it was not stopped, or not read
}

// stopper stops the threads of a process. All its calls are made by one thread of the system.
type stopper struct {
	pid      int
	tasks    map[int]*task
	order    []int // the leader first
	released bool
}

// stop stops all threads. While some still run, they may start others: it ends when there are
// no new ones.
func (s *stopper) stop() error {
	end := time.Now().Add(patience)
	for {
		ids, err := threads(s.pid)
		if err != nil {
			return err
		}
		var fresh []int
		for _, id := range ids {
			if s.tasks[id] != nil {
				continue
			}
			t := &task{}
			switch err := seize(id); {
			case errors.Is(err, unix.ESRCH):
				continue // it has ended
			case err != nil && id != s.pid && !alive(id):
				continue
			case err != nil && !alive(id):
				t.missed = "it has ended" // and others have not
			case err != nil:
				return explain(id, err)
			default:
				fresh = append(fresh, id)
			}
			s.tasks[id] = t
			s.order = append(s.order, id)
		}
		if len(fresh) == 0 {
			return nil
		}
		for _, id := range fresh {
			s.await(id, end)
		}
	}
}

// seize makes this thread the tracer of another one, and asks that to stop.
func seize(id int) error {
	if err := unix.PtraceSeize(id); err != nil {
		return err
	}
	return unix.PtraceInterrupt(id)
}

// await waits until a thread has stopped, or until the end.
func (s *stopper) await(id int, end time.Time) {
	t := s.tasks[id]
	for nap := 20 * time.Microsecond; ; nap = min(2*nap, 5*time.Millisecond) {
		var ws unix.WaitStatus
		got, err := unix.Wait4(id, &ws, unix.WALL|unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil, got == id && !ws.Stopped():
			t.missed = "it has ended"
			return
		case got == id:
			t.stopped = true
			if int(ws)>>16 == 0 { // no event: a signal arrived first
				t.signal = int(ws.StopSignal())
			}
			return
		case time.Now().After(end):
			t.missed = fmt.Sprintf("it did not stop within %v: %s", patience, inState(id))
			return
		}
		time.Sleep(nap)
	}
}

// release lets all threads go on, with the signals that they were about to get.
func (s *stopper) release() {
	if s.released {
		return
	}
	s.released = true
	for _, id := range s.order {
		if t := s.tasks[id]; t.stopped {
			_, _, _ = unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(id), 0, uintptr(t.signal), 0, 0)
		}
	}
}

// missed returns the threads that were not read, without those that have ended.
func (s *stopper) missed() (all []Missed) {
	for _, id := range s.order {
		if why := s.tasks[id].missed; why != "" && alive(id) {
			all = append(all, Missed{id, why})
		}
	}
	return all
}

// threads returns the threads of a process, the leader first.
func threads(pid int) ([]int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			all = append(all, id)
		}
	}
	slices.SortFunc(all, func(a, b int) int {
		if a == pid || b == pid {
			return cmp.Compare(btoi(b == pid), btoi(a == pid))
		}
		return cmp.Compare(a, b)
	})
	return all, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// registers returns the general registers of a stopped thread, in the form of NT_PRSTATUS.
func registers(id int) ([]byte, error) {
	var r unix.PtraceRegs
	if err := unix.PtraceGetRegs(id, &r); err != nil {
		return nil, err
	}
	return binary.Append(nil, binary.NativeEndian, &r)
}
