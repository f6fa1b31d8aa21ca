//go:build linux && (amd64 || arm64)

package execute

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Start executes a program and checks each step. It returns when the program has ended. Children of the program that
// are not checked may still run.
func Start(ctx context.Context, cfg Config) (*Report, error) {
	return onThread(func() (*Report, error) { return trace(ctx, cfg) })
}

// tracer executes a program.
type tracer struct {
	*session
	tasks map[int]*task
	early map[int]bool // stopped before the event of the parent
}

// task is a traced thread.
type task struct {
	id, process int
	mem         *memory
	check       *Process
	parent      int // whose frames it begins with
	started     bool
	stepping    bool // the last request was for one step
	gap         bool // code was executed that was not passed to the checker
	kernel      bool // the instruction is a system call
	code        bool // a system call that may change which code is mapped
	hidden      bool // the breakpoint at the instruction
	counted     bool // the last request was for one step that is counted and not checked
	child       bool // of vfork, not to be checked after exec
	signal      int
	pc          uint64
	step        Step
	regs        Regs
	kernelRegs  kernelRegs
}

const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEEXEC |
	unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK

// addrNoRandomize makes the kernel place everything at the same addresses in each run.
const addrNoRandomize = 0x0040000

func trace(ctx context.Context, cfg Config) (*Report, error) {
	if p, _, e := unix.RawSyscall(unix.SYS_PERSONALITY, 0xffffffff, 0, 0); e == 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, p|addrNoRandomize, 0, 0)
	}
	pid, err := cfg.start(cfg.Path, cfg.Args)
	if err != nil {
		return nil, err
	}
	t := &tracer{session: newSession(cfg, hostABI(), pid), tasks: map[int]*task{}, early: map[int]bool{}}
	stop := t.watch(ctx, t.kill)
	err = t.run(pid)
	stop()
	t.kill("")
	if err != nil {
		t.reap()
		return nil, err
	}
	return t.report(), nil
}

// reap waits for killed processes.
func (t *tracer) reap() {
	for len(t.tasks) > 0 {
		var ws unix.WaitStatus
		id, err := unix.Wait4(-1, &ws, unix.WALL|unix.WNOTHREAD, nil)
		if err != nil {
			return
		}
		if ws.Exited() || ws.Signaled() {
			delete(t.tasks, id)
		}
	}
}

// run follows the threads until all have ended.
func (t *tracer) run(pid int) error {
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, unix.WALL|unix.WNOTHREAD, nil); err != nil {
		return err
	}
	if !ws.Stopped() {
		return fmt.Errorf("the program did not start: %v", ws)
	}
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return fmt.Errorf("ptrace: %w", err)
	}
	mem, err := newMemory(pid, t.files)
	if err != nil {
		return err
	}
	mem.users = 1
	x := &task{id: pid, process: pid, mem: mem, check: t.checker.Process(mem)}
	t.tasks[pid] = x
	if err := t.resume(x); err != nil && !wasKilled(err) {
		return err
	}
	for len(t.tasks) > 0 {
		id, err := unix.Wait4(-1, &ws, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("wait: %w", err)
		}
		if err := t.handleStop(id, ws); err != nil && !wasKilled(err) {
			return err
		}
	}
	return nil
}

// wasKilled reports whether a thread was killed between a stop and a request.
func wasKilled(err error) bool {
	return errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EIO) || errors.Is(err, unix.EFAULT)
}

// handleStop handles a thread that has stopped or ended.
func (t *tracer) handleStop(id int, ws unix.WaitStatus) error {
	x := t.tasks[id]
	switch {
	case ws.Exited() || ws.Signaled():
		t.ended(id, x, ws)
		return nil
	case x == nil:
		t.early[id] = true // a new thread, before the event of the one that made it
		return nil
	}
	x.mem.pid = id // others may be ending
	sig := ws.StopSignal()
	switch {
	case ws.TrapCause() > 0:
		return t.event(x, ws.TrapCause())
	case sig == unix.SIGTRAP|0x80:
		return t.atCall(x)
	case sig == unix.SIGTRAP:
		return t.handleTrap(x)
	case sig == unix.SIGSTOP && !x.started:
		return t.resume(x)
	}
	// A signal arrives. The instruction was not executed. Job control would stop the
	// program for ever.
	t.reveal(x)
	if sig != unix.SIGSTOP && sig != unix.SIGTSTP && sig != unix.SIGTTIN && sig != unix.SIGTTOU {
		x.signal = int(sig)
	}
	if err := x.look(); err != nil {
		return err
	}
	return t.resumeAsBefore(x)
}

// look reads the registers of a thread that has stopped.
func (x *task) look() error {
	if err := readRegs(x.id, &x.kernelRegs); err != nil {
		return err
	}
	fill(&x.regs, &x.kernelRegs)
	x.pc = x.regs.Addr
	return nil
}

// ended forgets a thread that has ended.
func (t *tracer) ended(id int, x *task, ws unix.WaitStatus) {
	t.ends(id, ws)
	if x == nil {
		return
	}
	x.check.Exit(id)
	t.reveal(x)
	t.drop(x)
}

func (t *tracer) drop(x *task) {
	delete(t.tasks, x.id)
	t.forget(x.id)
	t.leave(x)
}

// leave ends the use of an address space.
func (t *tracer) leave(x *task) {
	m := x.mem
	if m.users--; m.users == 0 {
		m.close()
	}
}

// reveal sets the breakpoint again that was hidden for a step.
func (t *tracer) reveal(x *task) {
	if x.hidden {
		x.hidden = false
		x.mem.show(x.pc)
	}
}

// handleTrap handles a thread after a step, at a breakpoint, or at the entry of a signal
// handler.
func (t *tracer) handleTrap(x *task) error {
	t.reveal(x)
	if !x.stepping {
		if err := x.look(); err != nil {
			return err
		}
		if _, ok := x.mem.saved[x.regs.Addr-trapSkip]; ok && trapSkip > 0 {
			setPC(&x.kernelRegs, x.regs.Addr-trapSkip)
			if err := writeRegs(x.id, &x.kernelRegs); err != nil {
				return err
			}
		}
	}
	if x.code {
		x.code = false
		if err := x.followMappings(); err != nil {
			return err
		}
	}
	return t.resume(x)
}

// atCall handles a thread before or after a system call in code that is not stepped.
func (t *tracer) atCall(x *task) error {
	if err := readRegs(x.id, &x.kernelRegs); err != nil {
		return err
	}
	if mapsCode(systemCall(&x.kernelRegs)) {
		if err := x.followMappings(); err != nil {
			return err
		}
	}
	return t.resumeAsBefore(x)
}

// mapsCode reports whether a system call, whose third argument is prot, may change which code is
// mapped.
func mapsCode(number, prot uint64) bool {
	switch number {
	case unix.SYS_MMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP:
		return prot&unix.PROT_EXEC != 0
	}
	return number == unix.SYS_MUNMAP
}

// followMappings follows a change of which code is mapped.
func (x *task) followMappings() error {
	x.check.Forget()
	return x.mem.rescan()
}

// resumeAsBefore lets a thread go on as before.
func (t *tracer) resumeAsBefore(x *task) error {
	if x.signal != 0 {
		x.counted = false
		return t.one(x)
	}
	if x.stepping {
		return t.one(x)
	}
	return unix.PtraceSyscall(x.id, 0)
}

// one executes an instruction, or enters the handler of a signal.
func (t *tracer) one(x *task) error {
	x.stepping = true
	x.step.Signal = x.signal
	sig := x.signal
	x.signal = 0
	if x.mem.plants && !x.hidden {
		x.hidden = x.mem.restoreInsn(x.pc)
	}
	if sig == 0 {
		return unix.PtraceSingleStep(x.id)
	}
	return stepWithSignal(x.id, sig)
}

// stepWithSignal executes an instruction of a thread that gets a signal.
func stepWithSignal(id, sig int) error {
	if _, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SINGLESTEP, uintptr(id), 0, uintptr(sig), 0, 0); e != 0 {
		return e
	}
	return nil
}

// resume passes the state of a thread to the checker and lets it go on: for a step, or to the
// next breakpoint.
func (t *tracer) resume(x *task) error {
	if err := x.look(); err != nil {
		return err
	}
	steps := x.mem.steps(x.pc)
	if x.counted && steps {
		_, steps = x.mem.saved[x.pc] // where a breakpoint would have stopped it
	}
	x.counted = false
	if steps || !x.started || !x.gap {
		t.pass(x)
	}
	x.started = true
	if steps {
		x.gap = false
		if x.kernel {
			x.code = mapsCode(callOf(&x.kernelRegs))
		}
		return t.one(x)
	}
	return t.proceed(x)
}

// proceed lets a thread go on in code that is not stepped.
func (t *tracer) proceed(x *task) error {
	if !x.mem.plants {
		if err := x.mem.plantAll(); err != nil {
			return err
		}
	}
	if ra, ok := x.check.ReturnAddress(x.id); ok && x.mem.steps(ra) {
		if err := x.mem.plant(ra); err != nil && !wasKilled(err) {
			return err
		}
	}
	if t.cfg.Steps > 0 {
		return t.count(x)
	}
	x.gap = true
	x.stepping = false
	return unix.PtraceSyscall(x.id, 0)
}

// count executes an instruction of code that is not checked, because the number of steps has
// a limit. The thread leaves that code where it would without one: at a breakpoint, or with
// a signal.
func (t *tracer) count(x *task) error {
	if x.gap { // else the step was passed to the checker
		t.skips()
	}
	x.gap, x.counted = true, true
	if x.mem.isCall(x.pc) {
		x.code = mapsCode(callOf(&x.kernelRegs))
	}
	return t.one(x)
}

// pass passes a step to the checker.
func (t *tracer) pass(x *task) {
	if !t.counts() {
		return
	}
	x.step = Step{Thread: x.id, Parent: x.parent, Regs: &x.regs, Signal: x.step.Signal, Gap: x.gap}
	x.kernel = x.check.Step(&x.step)
	x.step.Signal = 0
}
