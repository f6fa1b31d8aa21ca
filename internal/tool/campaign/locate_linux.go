package campaign

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// locate runs a command again and returns the places of its crash: the instruction and its callers outside of the C library,
// as module, function (if named) and offset. It returns none if the command does not crash or must not be traced, and for a
// bad access whether it read or wrote.
func locate(ctx context.Context, c *program.External, in, out string) spot {
	found := make(chan spot, 1)
	go func() {
		runtime.LockOSThread() // a tracer is a thread; it ends with the goroutine
		found <- trace(ctx, c, in, out)
	}()
	return <-found
}

func trace(ctx context.Context, c *program.External, in, out string) (none spot) {
	cmd, stdin, err := c.Prepare(in, out)
	if err != nil {
		return none
	}
	if stdin != nil {
		defer stdin.Close()
	}
	cmd.SysProcAttr.Ptrace = true
	if c.Start(cmd) != nil {
		return none
	}
	pid := cmd.Process.Pid
	defer func() {
		program.Kill(cmd)
		for err = nil; err == nil || err == unix.EINTR; { // all threads: the tracer has to
			_, err = unix.Wait4(-pid, nil, unix.WALL, nil)
		}
		_ = cmd.Process.Release() // it has been waited for
	}()
	late := time.AfterFunc(c.Timeout, func() { program.Kill(cmd) })
	defer late.Stop()
	stop := context.AfterFunc(ctx, func() { program.Kill(cmd) })
	defer stop()
	for first := true; ; first = false {
		var ws unix.WaitStatus
		tid, err := unix.Wait4(-pid, &ws, unix.WALL, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return none
		}
		if first {
			const follow = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEEXEC
			_ = unix.PtraceSetOptions(pid, follow)
		}
		if !ws.Stopped() {
			if tid == pid {
				return none
			}
			continue
		}
		pass := 0
		switch sig := ws.StopSignal(); sig {
		case unix.SIGSEGV, unix.SIGBUS:
			return stoppedAt(tid, true)
		case unix.SIGFPE, unix.SIGILL, unix.SIGABRT:
			return stoppedAt(tid, false)
		case unix.SIGTRAP, unix.SIGSTOP:
		default:
			pass = int(sig)
		}
		_ = unix.PtraceCont(tid, pass)
	}
}

// mapping is a range of memory that a file has executable code in.
type mapping struct {
	from, to, off uint64
	path          string
}

// mostCallers bounds the callers of a place, and stackBytes what is searched for them.
const (
	mostCallers = 6
	stackBytes  = 32 << 10
)

// stoppedAt returns the places of a stopped thread, and what a bad access was.
func stoppedAt(tid int, bad bool) (at spot) {
	maps := mappings(tid)
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", tid))
	if err != nil {
		return at
	}
	var pc, sp uint64
	words := strings.Fields(string(b))
	if n := len(words); n < 2 {
		return at
	} else if _, err := fmt.Sscanf(words[n-2]+" "+words[n-1], "0x%x 0x%x", &sp, &pc); err != nil {
		return at
	}
	add := func(addr uint64) {
		for _, m := range maps {
			if addr >= m.from && addr < m.to && !system(m.path) {
				at.places = append(at.places, m.place(addr))
			}
		}
	}
	add(pc)
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", tid))
	if err != nil {
		return at
	}
	defer mem.Close()
	if bad {
		at.access = access(mem, pc)
	}
	stack := make([]byte, stackBytes)
	n, _ := mem.ReadAt(stack, int64(sp)) // up to the end of the stack
	for i := 0; i+8 <= n && len(at.places) < mostCallers; i += 8 {
		if addr := binary.NativeEndian.Uint64(stack[i:]); followsCall(mem, addr) {
			add(addr)
		}
	}
	return at
}

// followsCall reports whether a call can be before an address. It is exact enough on AMD64; on
// other machines it takes any word.
func followsCall(mem *os.File, addr uint64) bool {
	if addr < 0x1000 || addr > 1<<47 {
		return false
	}
	if runtime.GOARCH != "amd64" {
		return true
	}
	var b [7]byte
	if _, err := mem.ReadAt(b[:], int64(addr)-7); err != nil {
		return false
	}
	return insn.Decoder(insn.AMD64).MayEndWithCall(b[:])
}

// system reports whether a module is of the C or C++ library, where failures only show.
func system(path string) bool {
	name := filepath.Base(path)
	for _, p := range []string{"libc.", "libc-", "ld-linux", "ld64", "libstdc++", "libgcc", "libm.", "libpthread", "libasan", "libubsan"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func mappings(tid int) (all []mapping) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", tid))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(b) {
		var m mapping
		var perms, dev string
		var inode uint64
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %x %s %d %s", &m.from, &m.to, &perms, &m.off, &dev, &inode, &m.path); n == 7 && strings.Contains(perms, "x") && strings.HasPrefix(m.path, "/") {
			all = append(all, m)
		}
	}
	return all
}

// place returns the place of an address in the mapping.
func (m mapping) place(addr uint64) string {
	off := addr - m.from + m.off
	syms, bias := symbolsOf(m.path, m.off)
	v := off + bias
	for _, s := range syms {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && v >= s.Value && v < s.Value+s.Size {
			return fmt.Sprintf("%s %s+0x%x", moduleName(m.path), s.Name, v-s.Value)
		}
	}
	return fmt.Sprintf("%s+0x%x", moduleName(m.path), v)
}

var symbolCache sync.Map // by path

type moduleSymbols struct {
	syms  []elf.Symbol
	progs []*elf.Prog
}

// symbolsOf returns the symbols of a module, and what to add to an offset in it to get an address of
// its symbols.
func symbolsOf(path string, off uint64) ([]elf.Symbol, uint64) {
	v, ok := symbolCache.Load(path)
	if !ok {
		var mod moduleSymbols
		if f, err := elf.Open(path); err == nil {
			mod.progs = f.Progs
			mod.syms, _ = f.DynamicSymbols() // a program may have none
			if more, err := f.Symbols(); err == nil {
				mod.syms = append(mod.syms, more...)
			}
			f.Close()
		}
		v, _ = symbolCache.LoadOrStore(path, mod)
	}
	mod := v.(moduleSymbols)
	for _, p := range mod.progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && p.Off&^0xfff <= off && off < p.Off+p.Filesz {
			return mod.syms, p.Vaddr - p.Off
		}
	}
	return mod.syms, 0
}
