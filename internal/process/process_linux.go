//go:build linux && (amd64 || arm64)

package process

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
)

// Read stops all threads of a process, calls walk, and lets them go on, also if walk panics or the
// caller is killed: the kernel then detaches. The process gets no signal. Files that
// are mapped are read before it is stopped, as far as half of the memory of the
// budget allows. Errors: no such process, no permission, those of walk and the budget.
func Read(pid int, opts corefile.Options, walk func(*corefile.Core, *corefile.Modules) error) (*Process, error) {
	p, err := newTarget(pid, opts)
	if err != nil {
		return nil, err
	}
	defer p.mem.close()
	early, err := p.core(nil)
	if err != nil {
		return nil, err
	}
	files := p.preload(early)
	var out *Process
	done := make(chan struct{})
	go func() {
		// The thread that traces ends with this function, and the kernel then detaches from what
		// it still traces.
		defer close(done)
		runtime.LockOSThread()
		out, err = p.read(files, walk)
	}()
	<-done
	return out, err
}

// target is a process to read.
type target struct {
	pid     int
	opts    corefile.Options
	abi     model.ABIInfo
	mem     *memory
	regions []corefile.Region
}

func newTarget(pid int, opts corefile.Options) (*target, error) {
	p := &target{pid: pid, opts: opts, abi: model.LookupABI(hostABI)}
	st, err := readStatus(pid)
	if err != nil {
		return nil, err
	}
	if st.tgid == os.Getpid() {
		return nil, errors.New("this is the process that traces")
	}
	p.pid = st.tgid
	if err := p.machine(); err != nil {
		return nil, err
	}
	if p.mem, err = openMemory(p.pid, opts.Read.Budget); err != nil {
		return nil, st.explain(err)
	}
	p.opts.Resolve = p.resolve
	if opts.Sysroot == "" && p.elsewhere() {
		p.opts.Sysroot = p.proc("root")
	}
	return p, nil
}

func (p *target) proc(name string) string { return fmt.Sprintf("/proc/%d/%s", p.pid, name) }

// machine returns an error if the program is not one of this machine with 64 bits.
func (p *target) machine() error {
	f, err := os.Open(p.proc("exe"))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return errors.New("a thread of the kernel, or one that ends, has no program")
		}
		return nil // the registers show it
	}
	defer f.Close()
	var head [20]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil
	}
	machine := elf.Machine(uint16(head[18]) | uint16(head[19])<<8)
	if elf.Class(head[elf.EI_CLASS]) != elf.ELFCLASS64 || machine != p.abi.Machine {
		return fmt.Errorf("its program is not one of %s with 64 bits", p.abi.Name)
	}
	return nil
}

// elsewhere reports whether the process sees other files than this one.
func (p *target) elsewhere() bool {
	root, err := os.Readlink(p.proc("root"))
	if err != nil {
		return false
	}
	theirs, err := os.Readlink(p.proc("ns/mnt"))
	ours, ourErr := os.Readlink("/proc/self/ns/mnt")
	return root != "/" || err == nil && ourErr == nil && ours != theirs
}

// deleted is what the kernel adds to the path of a file that was deleted.
const deleted = " (deleted)"

// resolve returns a path by which a deleted file can be opened, "" for other files.
func (p *target) resolve(path string) string {
	if !strings.HasSuffix(path, deleted) {
		return ""
	}
	if exe, err := os.Readlink(p.proc("exe")); err == nil && exe == path {
		return p.proc("exe")
	}
	for i := range p.regions {
		if r := &p.regions[i]; r.Path == path {
			return filepath.Join(p.proc("map_files"), fmt.Sprintf("%x-%x", r.Start, r.End))
		}
	}
	return ""
}

// core returns the state of the process with the registers of its threads.
func (p *target) core(threads []corefile.ThreadRegs) (*corefile.Core, error) {
	f, err := os.Open(p.proc("maps"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if p.regions, err = corefile.ReadRegions(f); err != nil {
		return nil, err
	}
	auxv, err := os.ReadFile(p.proc("auxv"))
	if err != nil {
		return nil, err
	}
	return corefile.NewCore(corefile.Image{
		ABI: p.abi, Threads: threads, Regions: p.regions, Auxv: auxv, Memory: p.mem, PACMask: p.mem.pacMask,
		Page: uint64(os.Getpagesize()), Budget: p.opts.Read.Budget,
	})
}

// preload reads the files with code that the process has mapped.
func (p *target) preload(c *corefile.Core) *corefile.Modules {
	mods := corefile.NewModules(c, p.opts)
	b := p.opts.Read.Budget
	for _, r := range p.regions {
		if most := b.Limit(budget.Memory); most >= 0 && b.Used(budget.Memory) > most/2 {
			break
		}
		if strings.Contains(r.Permissions, "x") {
			if x, ok := mods.At(r.Start); ok { // what is made at the first look-up, too
				x.CFI(r.Start)
				x.Symbol(r.Start)
			}
		}
	}
	return mods
}

// read stops the process and calls walk.
func (p *target) read(files *corefile.Modules, walk func(*corefile.Core, *corefile.Modules) error) (*Process, error) {
	s := &stopper{pid: p.pid, tasks: map[int]*task{}}
	began := time.Now()
	defer s.release()
	if err := s.stop(); err != nil {
		return nil, err
	}
	if err := p.mem.renew(p.pid); err != nil {
		return nil, err
	}
	var regs []corefile.ThreadRegs
	for _, id := range s.order {
		if t := s.tasks[id]; t.stopped {
			r, err := registers(id)
			if err != nil {
				t.missed = "its registers cannot be read: " + err.Error()
				continue
			}
			regs = append(regs, corefile.ThreadRegs{ID: id, Regs: r})
			if p.abi.Pauth && p.mem.pacMask == 0 {
				p.mem.pacMask = pacMask(id)
			}
		}
	}
	missed := s.missed()
	if len(regs) == 0 {
		return nil, fmt.Errorf("no thread could be stopped: %v", missed)
	}
	c, err := p.core(regs)
	if err != nil {
		return nil, err
	}
	mods := corefile.NewModules(c, p.opts)
	mods.Reuse(files)
	err = walk(c, mods)
	s.release()
	out := &Process{Core: c, Mods: mods, Stopped: time.Since(began), Missed: missed}
	p.mem.freeze()
	return out, err
}
