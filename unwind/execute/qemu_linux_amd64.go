package execute

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/model"
)

// emulator executes a program in qemu's user mode, one instruction at a time. Before each
// of them qemu writes all registers to its log. A filter of system calls stops qemu there,
// so that registers and memory are those before the instruction. The log itself is
// /dev/null.
type emulator struct {
	*session
	guests map[int]*guest // by thread
	early  map[int]bool   // threads that stopped before the event of their parent
	text   [maxDump]byte
}

// guest is a process that is executed.
type guest struct {
	pid     int
	base    uint64 // host address of the program's address 0
	check   *Process
	last    map[int]*seen // of the threads, at their last steps
	ignored bool          // a child that is not to be checked
}

// seen are the registers that a thread had, and how many times in succession.
type seen struct {
	Regs
	times int
}

// maxDump bounds the text of the registers; that of s390x has 1,588 bytes.
const maxDump = 4096

// Emulate executes a program in qemu's user mode and checks each step, as [Start] does.
func Emulate(ctx context.Context, cfg Config) (*Report, error) {
	abi, err := abiOf(cfg.Path)
	if err != nil {
		return nil, err
	}
	return onThread(func() (*Report, error) { return emulate(ctx, cfg, abi) })
}

// abiOf returns the ABI of an ELF file.
func abiOf(path string) (model.ABIInfo, error) {
	f, err := elf.Open(path)
	if err != nil {
		return model.ABIInfo{}, err
	}
	defer f.Close()
	abi := model.LookupMachine(f.Machine, f.Data == elf.ELFDATA2MSB)
	if !abi.Known() {
		return abi, fmt.Errorf("%s: no ABI of SFrame is for %s", path, f.Machine)
	}
	return abi, nil
}

func emulate(ctx context.Context, cfg Config, abi model.ABIInfo) (*Report, error) {
	items := "nochain,page,cpu"
	if abi.HoldRegs > abi.AddrRegs {
		items += ",fpu"
	}
	args := append([]string{cfg.Qemu, "-singlestep", "-d", items, "-D", os.DevNull, "-0", cfg.Args[0], cfg.Path}, cfg.Args[1:]...)
	pid, err := cfg.start(cfg.Qemu, args)
	if err != nil {
		return nil, err
	}
	e := &emulator{
		session: newSession(cfg, abi, pid),
		early:   map[int]bool{},
		guests:  map[int]*guest{pid: {pid: pid, last: map[int]*seen{}}},
	}
	stop := e.watch(ctx)
	if err = prepare(pid); err == nil {
		err = e.loop()
	}
	stop()
	e.kill("")
	if err != nil {
		return nil, err
	}
	return e.report(), nil
}

// prepare lets a process that has just been executed run with the filter.
func prepare(pid int) error {
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, unix.WALL, nil); err != nil {
		return err
	}
	if !ws.Stopped() {
		return fmt.Errorf("qemu ended: status 0x%x", uint32(ws))
	}
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACEEXEC |
		unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return err
	}
	if err := injectFilter(pid); err != nil {
		return fmt.Errorf("qemu: filter of system calls: %w", err)
	}
	return unix.PtraceCont(pid, 0)
}

// loop waits for the threads until none is left.
func (e *emulator) loop() error {
	for {
		var ws unix.WaitStatus
		tid, err := unix.Wait4(-1, &ws, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil:
			return fmt.Errorf("wait: %w", err)
		}
		if !ws.Stopped() {
			e.ended(tid, ws)
			continue
		}
		sig, err := e.stopped(tid, ws)
		if err == nil {
			err = unix.PtraceCont(tid, sig)
		}
		if err != nil && !gone(err) {
			return err
		}
	}
}

func (e *emulator) ended(tid int, ws unix.WaitStatus) {
	e.ends(tid, ws)
	g := e.guests[tid]
	if g != nil && g.check != nil {
		g.check.Exit(tid)
	}
	e.forget(tid)
	delete(e.guests, tid)
}

// stopped handles a stop, and returns the signal to continue with.
func (e *emulator) stopped(tid int, ws unix.WaitStatus) (int, error) {
	g := e.guests[tid]
	event := ws.TrapCause()
	switch {
	case g == nil:
		e.early[tid] = true
		return 0, nil
	case event == unix.PTRACE_EVENT_SECCOMP:
		return 0, e.wrote(g, tid)
	case event == unix.PTRACE_EVENT_CLONE, event == unix.PTRACE_EVENT_FORK, event == unix.PTRACE_EVENT_VFORK:
		return 0, e.born(g, tid, event)
	case event > 0:
		return 0, nil
	case ws.StopSignal() == unix.SIGSTOP && g.last[tid] == nil:
		return 0, nil // a new thread
	}
	return int(ws.StopSignal()), nil
}

// born follows a new thread or process.
func (e *emulator) born(g *guest, tid, event int) error {
	id, err := unix.PtraceGetEventMsg(tid)
	if err != nil {
		return err
	}
	child := int(id)
	e.follow(child)
	if event == unix.PTRACE_EVENT_CLONE {
		e.guests[child] = g
		return nil
	}
	n := &guest{pid: child, base: g.base, ignored: !e.cfg.Children, last: map[int]*seen{}}
	if g.check != nil && !n.ignored {
		n.check = g.check.Fork(newGuestSpace(n, &e.checker.abi, e.files), tid, child)
	}
	e.guests[child] = n
	return nil
}

// wrote handles a write of qemu or of the program.
func (e *emulator) wrote(g *guest, tid int) error {
	var host unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &host); err != nil {
		return err
	}
	text := e.text[:min(host.Rdx, maxDump)]
	if g.ignored || (&remote{pid: tid}).ReadMemory(host.Rsi, text) != nil {
		return nil // the system call will fail
	}
	if at, ok := bytes.CutPrefix(text, []byte("guest_base")); ok {
		g.base = number(bytes.TrimPrefix(bytes.TrimLeft(at, " "), []byte("0x")))
		g.check = e.checker.Process(newGuestSpace(g, &e.checker.abi, e.files))
		return nil
	}
	var regs Regs
	if g.check == nil || !parseDump(text, &regs) {
		return nil
	}
	last := g.last[tid]
	if last == nil {
		last = &seen{}
		g.last[tid] = last
	}
	last.times++
	if last.Regs != regs {
		*last = seen{regs, 1}
	} else if last.times == 2 {
		// It was interrupted before the instruction, or it is the target of an execute
		// instruction. One that jumps to itself comes a third time.
		return nil
	}
	if e.counts() {
		g.check.Step(&Step{Thread: tid, Regs: &last.Regs})
	}
	return nil
}

// injectFilter has a stopped process make the system calls that set the filter: a write to
// another file than the first three stops it. The rest of its state stays as it is.
func injectFilter(pid int) error {
	var saved unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &saved); err != nil {
		return err
	}
	code := make([]byte, 8)
	if _, err := unix.PtracePeekText(pid, uintptr(saved.Rip), code); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(pid, uintptr(saved.Rip), []byte{0x0f, 0x05, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc}); err != nil {
		return err
	}
	program, err := binary.Append(nil, binary.LittleEndian, filter)
	if err != nil {
		return err
	}
	at := saved.Rsp&^15 - 1024
	le := binary.LittleEndian
	header := le.AppendUint64(le.AppendUint64(nil, uint64(len(filter))), at+16) // struct sock_fprog
	if _, err := unix.PtracePokeData(pid, uintptr(at), append(header, program...)); err != nil {
		return err
	}
	for _, args := range [][3]uint64{{unix.PR_SET_NO_NEW_PRIVS, 1, 0}, {unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, at}} {
		if err := callKernel(pid, saved, unix.SYS_PRCTL, args); err != nil {
			return err
		}
	}
	if _, err := unix.PtracePokeText(pid, uintptr(saved.Rip), code); err != nil {
		return err
	}
	return unix.PtraceSetRegs(pid, &saved)
}

// callKernel executes the system call instruction at the PC.
func callKernel(pid int, regs unix.PtraceRegs, number uint64, args [3]uint64) error {
	regs.Rax, regs.Orig_rax = number, ^uint64(0)
	regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8 = args[0], args[1], args[2], 0, 0
	if err := unix.PtraceSetRegs(pid, &regs); err != nil {
		return err
	}
	if err := unix.PtraceSingleStep(pid); err != nil {
		return err
	}
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, unix.WALL, nil); err != nil {
		return err
	}
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	if regs.Rax != 0 {
		return syscall.Errno(-regs.Rax)
	}
	return nil
}

// filter is the filter. Offsets are those of struct seccomp_data.
var filter = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 4}, // arch
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.AUDIT_ARCH_X86_64, Jf: 5},
	{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // nr
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_WRITE, Jf: 3},
	{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 16}, // args[0]
	{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: 2, Jf: 1},
	{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE},
	{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
}
