//go:build linux && (amd64 || arm64)

package execute

import (
	"golang.org/x/sys/unix"
)

// event handles a thread that has made another one, or has executed a file.
func (t *tracer) event(x *task, cause int) error {
	switch cause {
	case unix.PTRACE_EVENT_EXEC:
		return t.exec(x)
	case unix.PTRACE_EVENT_CLONE, unix.PTRACE_EVENT_FORK, unix.PTRACE_EVENT_VFORK:
		msg, err := unix.PtraceGetEventMsg(x.id)
		if err != nil {
			return err
		}
		if err := t.followNew(x, int(msg), cause); err != nil && !wasKilled(err) {
			return err
		}
	}
	return t.resumeAsBefore(x)
}

// followNew follows a new thread or process.
func (t *tracer) followNew(x *task, id, cause int) error {
	if !t.early[id] {
		var ws unix.WaitStatus
		if _, err := unix.Wait4(id, &ws, unix.WALL|unix.WNOTHREAD, nil); err != nil || !ws.Stopped() {
			return err
		}
	}
	delete(t.early, id)
	n := &task{id: id, process: x.process, mem: x.mem, check: x.check}
	switch cause {
	case unix.PTRACE_EVENT_VFORK:
		n.process, n.parent, n.child = id, x.id, !t.cfg.Children
	case unix.PTRACE_EVENT_FORK:
		mem, err := x.mem.clone(id)
		if err != nil {
			return err
		}
		if !t.cfg.Children {
			mem.restore()
			mem.close()
			return unix.PtraceDetach(id)
		}
		mem.users = 0
		n.process, n.mem, n.check = id, mem, x.check.Fork(mem, x.id, id)
	}
	n.mem.users++
	t.tasks[id] = n
	t.follow(id)
	return t.resume(n)
}

// exec begins again with the file that a process executes. All of its other threads have
// ended, and the one that is left has the ID of the process.
func (t *tracer) exec(x *task) error {
	if msg, err := unix.PtraceGetEventMsg(x.id); err == nil && int(msg) != x.id {
		if old := t.tasks[int(msg)]; old != nil {
			old.check.Exit(old.id)
			t.drop(old)
		}
	}
	x.check.Exit(x.id)
	x.hidden = false
	if x.child {
		t.drop(x)
		return unix.PtraceDetach(x.id)
	}
	t.leave(x)
	mem, err := newMemory(x.id, t.files)
	if err != nil {
		return err
	}
	mem.users = 1
	*x = task{id: x.id, process: x.process, mem: mem, check: t.checker.Process(mem)}
	// The thread stops once more, after the system call.
	x.stepping = true
	return unix.PtraceSingleStep(x.id)
}
