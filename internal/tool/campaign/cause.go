package campaign

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Cause states which values of a file make a program fail.
type Cause struct {
	Clean   bool     `json:"clean,omitempty"`   // no rule reports an error in this file
	Repairs []string `json:"repairs,omitempty"` // each one ends the failure
	How     []string `json:"how,omitempty"`     // the values that the repairs change
	Moves   bool     `json:"moves,omitempty"`   // after a repair, the program fails at another place
	Anyway  bool     `json:"anyway,omitempty"`  // it fails in the same way on the fully repaired section, which has no error
}

// trial runs a target on a file and reports whether it does not fail, and whether it fails in the bucket.
type trial func(data []byte) (fine, same bool)

// cause finds what a failure depends on: it repairs one thing of the minimal file after the other, then all
// things, without as many as possible; then the file around the section.
func (s scratch) cause(ctx context.Context, t *Target, in *Input, small []byte, b Bucket) (*Cause, error) {
	var failed error
	try := func(data []byte) (fine, same bool) {
		if failed != nil || ctx.Err() != nil {
			return false, true
		}
		c := *in
		c.Data = data
		_, v, bad, err := s.try(ctx, t, &c)
		if failed = err; err != nil {
			return false, true
		}
		return !v.outcome.isCrash(), slices.ContainsFunc(bad, func(v ending) bool { return t.failure(v) == b })
	}
	last := *in
	last.Data = small
	return last.cause(t, in.Data, try), failed
}

// cause finds what a failure on a minimal file depends on. first is the file that was made minimal.
func (in *Input) cause(t *Target, first []byte, try trial) *Cause {
	o := object(in.Data)
	if o == nil || o.ELF == nil && len(o.SFrames) == 0 {
		c := &Cause{}
		c.missing(in, t, try)
		c.repairAround(in, t, o, first, try)
		return c
	}
	wrong := errorsIn(o)
	c := &Cause{Clean: len(wrong) == 0}
	faulty := false
	for id := range wrong {
		faulty = faulty || onSection(id)
	}
	if len(o.SFrames) == 1 && (faulty || in.Class != Valid) {
		if !faulty && c.repairAround(in, t, o, first, try) {
			return c
		}
		c.section(in, t, o, try)
	}
	if len(c.Repairs) == 0 {
		c.repairAround(in, t, o, first, try)
	}
	return c
}

// missing completes the header of a section that is too short to be recognized.
func (c *Cause) missing(in *Input, t *Target, try trial) {
	n, size := len(in.Data), model.SFRAME_VERSION_3.Info().HeaderSize
	if t.lib == nil || n >= size {
		return
	}
	if fine, _ := try(append(slices.Clone(in.Data), make([]byte, size-n)...)); fine {
		c.found(sectionSize, fmt.Sprintf("the section has %d bytes, its header %d", n, size))
	}
}

// section repairs the section.
func (c *Cause) section(in *Input, t *Target, o *reader.Object, try trial) {
	all := repairs(o.SFrames[0], in.ABI, in.Version)
	var moved, hidden Cause
	for _, r := range all {
		fine, same := try(in.repair(o, t.kind(), r))
		switch {
		case fine && r.hides:
			hidden.found(r.thing, r.how)
		case fine:
			c.found(r.thing, r.how)
		case !same:
			moved.found(r.thing, r.how)
		}
	}
	if len(c.Repairs) > 0 || len(all) == 0 {
		return
	}
	if c.repairAll(in, o, t, all, try) {
		return
	}
	switch {
	case len(hidden.Repairs) > 0:
		c.Repairs, c.How = hidden.Repairs, hidden.How
	case len(moved.Repairs) > 0:
		c.Repairs, c.How, c.Moves = moved.Repairs, moved.How, true
	}
}

// repairAll makes all repairs, one of each thing, then without as many as possible. It returns false if the failure
// stays; Anyway is set if the section then has no error.
func (c *Cause) repairAll(in *Input, o *reader.Object, t *Target, repairs []repair, try trial) bool {
	var all []repair
	for _, r := range repairs {
		if !r.hides && !slices.ContainsFunc(all, func(x repair) bool { return x.thing == r.thing }) {
			all = append(all, r)
		}
	}
	file := in.repair(o, t.kind(), all...)
	if fine, same := try(file); !fine {
		c.Anyway = same && sound(file)
		return false
	}
	for i := len(all) - 1; i >= 0 && len(all) > 1; i-- {
		less := slices.Delete(slices.Clone(all), i, i+1)
		if fine, _ := try(in.repair(o, t.kind(), less...)); fine {
			all = less
		}
	}
	var things, hows []string
	for _, r := range all {
		things, hows = append(things, r.thing), append(hows, r.how)
	}
	c.found(strings.Join(things, " and "), strings.Join(hows, "; "))
	return true
}

// sound reports whether the rules find no error in the section of a file.
func sound(file []byte) bool {
	o := object(file)
	return o != nil && len(o.SFrames) == 1 && !sectionRepairs(o)
}

// found adds a repair, once for each thing.
func (c *Cause) found(thing, how string) {
	if !slices.Contains(c.Repairs, thing) {
		c.Repairs, c.How = append(c.Repairs, thing), append(c.How, how)
	}
}

// repairAround repairs what is around the section: the break is left out, or the changes of a mutated file are,
// one by one, or the section gets another file. It reports whether that makes the failure go.
func (c *Cause) repairAround(in *Input, t *Target, o *reader.Object, first []byte, try trial) bool {
	if in.Break != "" {
		recipe := in.Recipe
		recipe.Breaks = nil
		if s, err := recipe.Subject(); err == nil {
			if fine, _ := try(s.File()); fine && (o == nil || !sectionRepairs(o)) {
				c.found("break "+in.Break, "the same file without the break "+in.Break+" is valid")
				return true
			}
		}
		return false
	}
	if o == nil || o.ELF == nil || len(o.SFrames) != 1 {
		return false
	}
	f := o.SFrames[0]
	plain := wrap(in.ABI, t.kind(), f.Data, in.Addr)
	if fine, _ := try(plain); !fine || bytes.Equal(plain, in.Data) {
		return false
	}
	if field := in.field(first, try); field != "" {
		c.found(field, fmt.Sprintf("with the value of %s that a linker or an assembler writes, the program does not fail", field))
	} else {
		c.found(AroundSection, "in another file, the same section causes no failure")
	}
	return true
}

// field returns the only field of a mutated ELF file that has to be as it was for the failure to go; "" if there is none.
func (in *Input) field(first []byte, try trial) (name string) {
	s, err := in.Recipe.Subject()
	if err != nil || len(s.File()) != len(first) {
		return ""
	}
	for _, at := range differing(s.File(), first) {
		file := slices.Clone(first)
		copy(file[at[0]:at[1]], s.File()[at[0]:at[1]])
		if fine, _ := try(file); fine {
			if name != "" {
				return ""
			}
			name = elfField(s.File(), int64(at[0])) // "" for the section itself
		}
	}
	return name
}

// sectionRepairs reports whether the section itself has a fault.
func sectionRepairs(o *reader.Object) bool {
	for id := range errorsIn(o) {
		if onSection(id) {
			return true
		}
	}
	return false
}

// AroundSection is the repair that writes another file around the section.
const AroundSection = "the file around the section"

// mostHunks bounds the differences of two files that are looked at one by one.
const mostHunks = 64

// differing returns the runs of bytes that differ in two files of a size, as pairs of offsets, at most mostHunks. Less than
// a number of 8 bytes is between two runs.
func differing(a, b []byte) (all [][2]int) {
	for i := range a {
		switch n := len(all); {
		case a[i] == b[i]:
		case n > 0 && i-all[n-1][1] < 8 && i/8 == all[n-1][0]/8:
			all[n-1][1] = i + 1
		case n < mostHunks:
			all = append(all, [2]int{i, i + 1})
		}
	}
	return all
}

// elfField returns what the manual of ELF calls the field at an offset of a valid file.
func elfField(file []byte, off int64) string {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return ""
	}
	shoff := int64(f.ByteOrder.Uint64(file[elf64.EhdrShoff.Off:]))
	phoff := int64(f.ByteOrder.Uint64(file[elf64.EhdrPhoff.Off:]))
	switch {
	case off < elf64.EhdrSize:
		return fieldAt("e_", reflect.TypeFor[elf.Header64](), off) + " of the ELF header"
	case off >= phoff && off < phoff+int64(len(f.Progs))*elf64.PhdrSize:
		return fieldAt("p_", reflect.TypeFor[elf.Prog64](), (off-phoff)%elf64.PhdrSize) + " of a program header"
	case off >= shoff && off < shoff+int64(len(f.Sections))*elf64.ShdrSize:
		i := (off - shoff) / elf64.ShdrSize
		return fmt.Sprintf("%s of the header of section %s", fieldAt("sh_", reflect.TypeFor[elf.Section64](), (off-shoff)%elf64.ShdrSize), f.Sections[i].Name)
	}
	for _, s := range f.Sections {
		if at := off - int64(s.Offset); s.Type != elf.SHT_NOBITS && at >= 0 && at < int64(s.Size) {
			switch s.Type {
			case elf.SHT_SYMTAB, elf.SHT_DYNSYM:
				return fieldAt("st_", reflect.TypeFor[elf.Sym64](), at%elf64.SymSize) + " of a symbol"
			case elf.SHT_RELA:
				return fieldAt("r_", reflect.TypeFor[elf.Rela64](), at%elf64.RelaSize) + " of a relocation"
			}
			if s.Name != ".sframe" {
				return "section " + s.Name
			}
		}
	}
	return ""
}

// fieldAt returns the name of the field of a structure at an offset, in C, where names begin with a prefix.
func fieldAt(prefix string, t reflect.Type, off int64) string {
	name := ""
	at := int64(0)
	for _, f := range reflect.VisibleFields(t) {
		if at > off {
			break
		}
		name, at = f.Name, at+int64(f.Type.Size())
	}
	if name == "Off" {
		name = "offset"
	}
	return prefix + strings.ToLower(name)
}
