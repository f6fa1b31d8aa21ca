package breaks

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// Container is the kind of file that contains a section.
type Container string

// Containers.
const (
	Raw     Container = "raw"     // only the section
	Exec    Container = "exec"    // an executable
	Shared  Container = "shared"  // a shared object
	Rel     Container = "rel"     // an object file
	Archive Container = "archive" // an archive that contains an object file
)

// Containers returns all containers.
func Containers() []Container { return []Container{Raw, Exec, Shared, Rel, Archive} }

// Subject is a section in its container, valid or broken. It is immutable.
type Subject struct {
	container Container
	base      *generator.Plan // what the container was made of
	plan      *generator.Plan // the section's plan in it: in an object file starts are relative to sections

	object    []byte // the ELF file, or only the section
	off, size int64  // of the section in the object
	archive   []byte // around the object, nil for other kinds
	at        int64  // of the object in the archive
	limit     int64  // largest section that is to be read, 0 for any
	memory    int64  // that a reader may use, 0 for the default

	ix       *index
	elf      *elfIndex    // nil for a raw section
	arranged func() []int // of the functions by address, computed once; nil while they may change

	done    []done
	claimed []string // what breaks have changed: no other break may change it
	relied  trust    // what the rules of the breaks so far rely on
	spoiled trust    // what the breaks have made unreliable
	sealed  bool     // the bytes are no longer those of the plan
	outer   bool     // the archive is no longer the one around the object
}

// done is a break that was applied.
type done struct {
	b  *Break
	at anchor
}

// New puts the section of a plan into a container. It returns an error if the plan cannot be written or does not fit
// in the container.
func New(p *generator.Plan, kind Container) (*Subject, error) {
	return subject(p.Clone(), kind)
}

// subject is [New] for a plan that nothing else changes.
func subject(p *generator.Plan, kind Container) (*Subject, error) {
	s := &Subject{container: kind, base: p}
	if kind == Rel || kind == Archive {
		p.FitObject()
	}
	if err := s.build(); err != nil {
		return nil, err
	}
	s.arranged = sync.OnceValue(s.sorted)
	return s, nil
}

// objectMember is the name of the archive's member. It is too long for the
// member's header, so it is in the table of names.
const objectMember = "object_with_a_section.o"

// build writes the section and its container again.
func (s *Subject) build() error {
	f, err := wrap(s.base, s.container)
	if err != nil {
		return err
	}
	s.plan, s.object, s.off = f.Plan, f.Bytes, f.Offset
	s.ix = newIndex(f)
	s.size = s.ix.size
	if s.container != Raw {
		s.elf = newELFIndex(s.object, s.plan.BigEndian)
	}
	return s.enclose()
}

func wrap(p *generator.Plan, kind Container) (*generator.File, error) {
	switch kind {
	case Raw:
		return generator.WrapNone(p)
	case Exec:
		return generator.WrapExec(p)
	case Shared:
		return generator.WrapShared(p)
	case Rel, Archive:
		return generator.WrapRel(p)
	}
	return nil, fmt.Errorf("unknown container %q", kind)
}

// enclose writes the archive around the object.
func (s *Subject) enclose() error {
	if s.container != Archive || s.outer {
		return nil
	}
	var err error
	s.archive, err = generator.WrapArchive([]generator.Member{{Name: objectMember, Bytes: s.object}})
	if err == nil {
		s.at = int64(len(s.archive) - len(s.object) - len(s.object)%2) // the last member has an even size
	}
	return err
}

// clone returns a copy whose parts may be changed, except for the plans.
func (s *Subject) clone() *Subject {
	c := *s
	c.arranged = nil
	c.object = slices.Clone(s.object)
	c.done = slices.Clone(s.done)
	c.claimed = slices.Clone(s.claimed)
	if s.outer {
		c.archive = slices.Clone(s.archive)
	}
	return &c
}

// Kind returns the kind of container.
func (s *Subject) Kind() Container { return s.container }

// File returns the bytes of the whole container. Callers must not change them.
func (s *Subject) File() []byte {
	if s.container == Archive {
		return s.archive
	}
	return s.object
}

// Section returns the bytes of the section. Callers must not change them.
func (s *Subject) Section() []byte { return s.object[s.off : s.off+s.size] }

// Plan returns the plan of the section without the breaks. Callers must not change it.
func (s *Subject) Plan() *generator.Plan { return s.plan }

// Addr returns the virtual address of a raw section, which its reader needs.
func (s *Subject) Addr() uint64 {
	if s.container == Raw {
		return s.base.Addr
	}
	return 0
}

// Limit returns the maximum section size in bytes that a reader should accept, or 0 for any. Only one break sets it.
func (s *Subject) Limit() int64 { return s.limit }

// Memory returns the memory budget that a reader should use, in bytes, or 0 for the default. Only one break sets it.
func (s *Subject) Memory() int64 { return s.memory }

// Breaks returns the names of the breaks that were applied, in order.
func (s *Subject) Breaks() []string {
	var names []string
	for _, d := range s.done {
		names = append(names, d.b.Name)
	}
	return names
}

// linked reports whether the section is in a linked file; inELF whether it is
// in an ELF file at all.
func (s *Subject) linked() bool { return s.container == Exec || s.container == Shared }
func (s *Subject) inELF() bool  { return s.container != Raw }

// rel reports whether it is in an object file.
func (s *Subject) rel() bool { return s.container == Rel || s.container == Archive }

func (s *Subject) abi() model.ABIInfo        { return s.plan.ABIInfo() }
func (s *Subject) machine() machinecode.Code { return machinecode.Of(s.abi().Machine) }
func (s *Subject) version() model.Version    { return s.plan.Version }
func (s *Subject) format() model.VersionInfo { return s.plan.Version.Info() }
func (x spot) fn() *generator.Func           { return &x.plan.Funcs[x.i] }
func (s *Subject) has(f model.Flags) bool    { return s.plan.Flags&f != 0 }

// insn returns the smallest size of an instruction, in bytes.
func (s *Subject) insn() uint32 { return uint32(s.abi().MinInsn) }
