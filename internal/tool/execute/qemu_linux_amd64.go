package execute

import (
	"context"
	"debug/elf"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/model"
)

// emulator executes a program in qemu's user mode. A plugin of qemu follows the steps, and stops at those
// that the checker must do itself.
type emulator struct {
	*session
	cpu    cpu
	guests map[int]*guest // by thread
	early  map[int]bool   // threads that stopped before the event of their parent
	task   pluginTask
	broken error
}

// guest is a process that is executed.
type guest struct {
	pid     int
	shared  [sharedWords]uint64
	check   *Process
	pcs     map[uint64]uint64 // of places, by host address
	base    map[int]int       // frames that the plugin does not have, by thread
	tasks   map[int]uint64    // addresses, by thread
	hits    []uint64          // of the places, as they have been counted
	ignored bool              // a child that is not to be checked
}

//go:embed plugin/step.c
var pluginSource []byte

// Words of the structure with which the plugin stops.
const (
	sharedBase = iota
	sharedPlaces
	sharedNPlaces
	sharedOff
	sharedAddr // its address, which the registers have

	sharedWords
)

// stopMark is in rax where the plugin stops, rdi has the task, and rsi the shared structure.
const stopMark = 0x53467261

// Emulate executes a program in qemu's user mode and checks each step, as [Start] does.
func Emulate(ctx context.Context, cfg Config) (*Report, error) {
	abi, err := abiOf(cfg.Path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sframe-step")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	plugin, err := build(ctx, cfg.Qemu, dir)
	if err != nil {
		return nil, err
	}
	return onThread(func() (*Report, error) {
		return emulate(ctx, cfg, abi, machines[abi.Machine].cpu, append(plugin, "-0", cfg.Args[0], cfg.Path), cfg.Args[1:])
	})
}

// build compiles the plugin for a qemu, and returns the arguments with which that loads it.
func build(ctx context.Context, qemu, dir string) ([]string, error) {
	help, err := exec.CommandContext(ctx, qemu, "-h").CombinedOutput()
	if err != nil && len(help) == 0 {
		return nil, fmt.Errorf("qemu: %w", err)
	}
	if !strings.Contains(string(help), "-plugin") {
		return nil, fmt.Errorf("%s was built without plugins: steps cannot be followed in it", qemu)
	}
	one, version := "-singlestep", 1
	if strings.Contains(string(help), "-one-insn-per-tb") {
		one = "-one-insn-per-tb"
	}
	out, _ := exec.CommandContext(ctx, qemu, "-version").Output()
	var major int
	if i := strings.Index(string(out), "version "); i >= 0 {
		_, _ = fmt.Sscanf(string(out[i:]), "version %d", &major)
	}
	if major >= 9 {
		version = 2
	}
	source, plugin := filepath.Join(dir, "step.c"), filepath.Join(dir, "step.so")
	if err := os.WriteFile(source, pluginSource, 0o666); err != nil {
		return nil, err
	}
	cc := exec.CommandContext(ctx, "cc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-fomit-frame-pointer",
		fmt.Sprintf("-DPLUGIN_VERSION=%d", version), "-o", plugin, source)
	if text, err := cc.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("qemu's plugin must be compiled: cc: %w: %s", err, strings.TrimSpace(string(text)))
	}
	return []string{one, "-plugin", plugin}, nil
}

// abiOf returns the ABI of an ELF file.
func abiOf(path string) (model.ABIInfo, error) {
	f, err := elf.Open(path)
	if err != nil {
		return model.ABIInfo{}, err
	}
	defer f.Close()
	abi := model.LookupMachine(f.Machine, f.Data == elf.ELFDATA2MSB)
	if !abi.Known() || machines[abi.Machine] == nil {
		return abi, fmt.Errorf("%s: programs of %s are not followed", path, f.Machine)
	}
	return abi, nil
}

func emulate(ctx context.Context, cfg Config, abi model.ABIInfo, c cpu, args, rest []string) (*Report, error) {
	args[2] += "," + c.arguments(&abi)
	args = append(append([]string{cfg.Qemu}, args...), rest...)
	pid, err := cfg.start(cfg.Qemu, args)
	if err != nil {
		return nil, err
	}
	e := &emulator{
		session: newSession(cfg, abi, pid), cpu: c, early: map[int]bool{},
		guests: map[int]*guest{pid: newGuest(pid)},
	}
	end := e.watch(ctx, e.stopAll)
	if err = prepare(pid); err == nil {
		err = e.loop()
	}
	end()
	e.kill("")
	if err = errors.Join(e.broken, err); err != nil {
		return nil, err
	}
	return e.report(), nil
}

func newGuest(pid int) *guest {
	return &guest{pid: pid, pcs: map[uint64]uint64{}, base: map[int]int{}, tasks: map[int]uint64{}}
}

// prepare lets a process that has just been executed run.
func prepare(pid int) error {
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, unix.WALL, nil); err != nil {
		return err
	}
	if !ws.Stopped() {
		return fmt.Errorf("qemu ended: status 0x%x", uint32(ws))
	}
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACEEXIT |
		unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return err
	}
	return unix.PtraceCont(pid, 0)
}

// stopAll stops all threads, so that what the plugin has counted can be read before they are killed.
func (e *emulator) stopAll(why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cut == "" {
		e.cut = why
	}
	for id := range e.ids {
		_ = unix.Kill(id, unix.SIGSTOP)
	}
}

// finish ends the run, after what was counted has been read.
func (e *emulator) finish(why string) {
	for tid, g := range e.guests {
		e.harvest(g, tid)
	}
	e.kill(why)
}

// isCut reports whether the run is to end.
func (e *emulator) isCut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cut != "" && !e.killed
}

// loop waits for the threads until all have ended.
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
		if e.isCut() {
			e.finish("")
			continue
		}
		sig, err := e.handleStop(tid, ws)
		if err == nil {
			err = unix.PtraceCont(tid, sig)
		}
		if err != nil && !wasKilled(err) {
			return err
		}
	}
}

func (e *emulator) ended(tid int, ws unix.WaitStatus) {
	e.ends(tid, ws)
	if g := e.guests[tid]; g != nil && g.check != nil {
		g.check.Exit(tid)
	}
	e.forget(tid)
	delete(e.guests, tid)
}

// handleStop handles a stop, and returns the signal to continue with.
func (e *emulator) handleStop(tid int, ws unix.WaitStatus) (int, error) {
	g := e.guests[tid]
	event := ws.TrapCause()
	switch {
	case g == nil:
		e.early[tid] = true
		return 0, nil
	case event == unix.PTRACE_EVENT_CLONE, event == unix.PTRACE_EVENT_FORK, event == unix.PTRACE_EVENT_VFORK:
		return 0, e.followNew(g, tid, event)
	case event == unix.PTRACE_EVENT_EXIT:
		e.harvest(g, tid)
		return 0, nil
	case event > 0:
		return 0, nil
	case ws.StopSignal() == unix.SIGTRAP:
		return e.handleTrap(g, tid)
	case ws.StopSignal() == unix.SIGSTOP:
		if _, ok := g.base[tid]; !ok {
			return 0, nil // a new thread
		}
	}
	return int(ws.StopSignal()), nil
}

// followNew follows a new thread or process.
func (e *emulator) followNew(g *guest, tid, event int) error {
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
	n := newGuest(child)
	e.guests[child] = n
	n.shared, n.ignored = g.shared, !e.cfg.Children
	if g.check == nil {
		return nil
	}
	if n.ignored {
		return n.write(n.shared[sharedAddr]+8*sharedOff, []byte{1})
	}
	for at, pc := range g.pcs {
		n.pcs[at] = pc
	}
	n.base[child], n.tasks[child] = g.base[tid], g.tasks[tid]
	n.check = g.check.Fork(e.space(n), tid, child)
	return n.reset()
}

func (e *emulator) space(g *guest) *guestSpace {
	return newGuestSpace(g.pid, g.shared[sharedBase], &e.checker.abi, e.files)
}

// words reads words of qemu's memory.
func (g *guest) words(addr uint64, all []uint64) error {
	b := make([]byte, 8*len(all))
	err := (&remote{pid: g.pid}).ReadMemory(addr, b)
	for i := range all {
		all[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return err
}

// write writes to qemu's memory, the pieces in their order.
func (g *guest) write(addr uint64, b []byte) error {
	here := unix.Iovec{Base: &b[0]}
	here.SetLen(len(b))
	_, err := unix.ProcessVMWritev(g.pid, []unix.Iovec{here}, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(b)}}, 0)
	return err
}
