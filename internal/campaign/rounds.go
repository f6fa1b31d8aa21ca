package campaign

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/asm"
	"github.com/sframe-lint/sframe-lint/internal/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Bounds of the repairs that are made together: how often what a repair brings to light is repaired, too, and how many
// repairs of one thing are tried.
const (
	mostRounds   = 6
	mostVariants = 3
)

// together returns repairs that make the failure go if all of them are made, nil if there are none: first all that
// a section needs, then one of those that mend the same thing. It notes that a section that needs no more repairs fails
// as well.
func (c *Cause) together(in *Input, o *reader.Object, kind breaks.Kind, all []repair, try trial) []repair {
	for variant := -1; variant < mostVariants; variant++ {
		done, fine := in.rounds(o, kind, variantOf(all, variant), variant, try)
		if fine {
			return done
		}
		if variant < 0 {
			if way := in.elsewhere(o, kind, done, try); way != nil {
				return append(done, *way)
			}
		}
		if !c.Anyway {
			_, same := try(in.repaired(o, kind, done...))
			c.Anyway = same && sound(in.repaired(o, kind, done...))
		}
	}
	return nil
}

// variantOf returns the repair of each thing that has a number among those of the thing, or its last one; all for a
// negative number. None hides what it repairs.
func variantOf(all []repair, variant int) (some []repair) {
	index, count := map[string]int{}, map[string]int{}
	for _, r := range all {
		if r.hides {
			continue
		}
		i, had := index[r.thing]
		switch {
		case variant < 0 || !had:
			index[r.thing] = len(some)
			some = append(some, r)
		case count[r.thing] <= variant:
			some[i] = r
		}
		count[r.thing]++
	}
	return some
}

// rounds repairs what is wrong, and then what only the repaired section shows, until the program does not fail. It
// returns the repairs, and reports whether they are enough.
func (in *Input) rounds(o *reader.Object, kind breaks.Kind, all []repair, variant int, try trial) (done []repair, fine bool) {
	for range mostRounds {
		if len(all) == 0 {
			return done, false
		}
		done = append(done, all...)
		file := in.repaired(o, kind, done...)
		if fine, _ := try(file); fine {
			return done, true
		}
		now := object(file)
		if now == nil || len(now.SFrames) != 1 {
			return done, false
		}
		all = variantOf(repairs(now.SFrames[0], in.ABI, in.Version), variant)
	}
	return done, false
}

// elsewhere puts the repaired section into the smallest file, and writes it anew in the byte order of the ABI and in
// other versions. It returns what makes the failure go as a repair, nil for none.
func (in *Input) elsewhere(o *reader.Object, kind breaks.Kind, done []repair, try trial) *repair {
	now := object(in.repaired(o, kind, done...))
	if now == nil || len(now.SFrames) != 1 || now.SFrames[0].Section == nil {
		return nil
	}
	f := now.SFrames[0]
	if o.ELF != nil {
		if fine, _ := try(in.packed(o, kind, f.Data)); fine {
			return &repair{thing: AroundSection, how: "in another file, the section that is repaired so causes no failure", anew: func([]byte) []byte { return f.Data }}
		}
	}
	order := map[bool]string{true: "big", false: "little"}
	if big := f.Section.BigEndian(); big != in.ABI.Big {
		how := fmt.Sprintf("the section is in %s-endian order, not in that of %s", order[big], in.ABI.Name)
		if r := in.written(o, kind, f, with(".abi "+in.ABI.Short()+"\n.order "+order[in.ABI.Big]), try); r != nil {
			r.thing, r.how = "the byte order of the section", how
			return r
		}
	}
	v := model.SFRAME_VERSION_2 // programs that read another one read this one, too, or refuse it
	if f.Section.Version() == v {
		v = model.SFRAME_VERSION_1
	}
	if r := in.written(o, kind, f, with(fmt.Sprintf(".version %d", v)), try); r != nil {
		r.thing, r.how = model.HdrVersion.String(), fmt.Sprintf("it is a section of version %d; the same functions in version %d cause no failure", f.Section.Version(), v)
		return r
	}
	return nil
}

// arranged writes a section without errors anew: as an assembler lays it out, and with its functions side by side. It adds
// what makes the failure go as a repair.
func (c *Cause) arranged(in *Input, t *Target, o *reader.Object, try trial) {
	f := o.SFrames[0]
	if _, same := try(in.packed(o, t.kind(), f.Data)); !same {
		return // the file around it matters, too
	}
	for _, way := range []struct {
		thing, how string
		edit       func(text []byte) []byte
	}{
		{"the places of FDEs and FREs", "without other bytes between the header, the FDEs and the FREs, the same functions cause no failure", func(text []byte) []byte { return places.ReplaceAll(text, nil) }},
		{model.FieldName(model.SFRAME_VERSION_3, model.FDEStart), "the same functions side by side cause no failure", sideBySide},
	} {
		if r := in.written(o, t.kind(), f, way.edit, try); r != nil {
			c.found(way.thing, way.how)
			c.Anyway = false
		}
	}
}

// What the text of a section says of places: those of the FDEs, the FREs and single functions' FREs, and bytes that belong to
// nothing.
var (
	places   = regexp.MustCompile(`(?m)^(?:\.fdes_at|\.fres_at|  \.org) .*\n`)
	rawBytes = regexp.MustCompile(`(?m)^\.at .*\n`)
	function = regexp.MustCompile(`(?m)^(\.func \S+) (\S+) (\S+)`)
)

// sideBySide gives the functions of a section's text other starts: one follows the other.
func sideBySide(text []byte) []byte {
	next := uint64(1 << 16)
	return function.ReplaceAllFunc(text, func(line []byte) []byte {
		m := function.FindSubmatch(line)
		size, err := strconv.ParseUint(string(m[3]), 0, 32)
		if err != nil {
			return line
		}
		start := next
		next += size + 16
		return fmt.Appendf(nil, "%s 0x%x %s", m[1], start, m[3])
	})
}

// with returns a function that adds statements to a section's text: the last one counts.
func with(statements string) func([]byte) []byte {
	return func(text []byte) []byte { return slices.Concat(text, []byte(statements+"\n")) }
}

// written writes a section anew, from its text that edit changes, and returns that as a repair if the program then does
// not fail. A program that refuses it has not read it.
func (in *Input) written(o *reader.Object, kind breaks.Kind, f *reader.SFrame, edit func([]byte) []byte, try trial) *repair {
	var text bytes.Buffer
	if err := dump.Assembly(&text, &reader.Object{Path: "section", Size: int64(len(f.Data))}, f); err != nil {
		return nil
	}
	out, err := asm.Assemble(edit(rawBytes.ReplaceAll(text.Bytes(), nil)), asm.Options{}) // raw bytes are those of the old form
	if err != nil {
		return nil
	}
	if fine, _ := try(in.packed(o, kind, out.Section)); !fine || in.refused {
		return nil
	}
	return &repair{anew: func([]byte) []byte { return out.Section }}
}

// packed returns the smallest file for a section, the section itself for a target that reads sections.
func (in *Input) packed(o *reader.Object, kind breaks.Kind, section []byte) []byte {
	if o.ELF == nil {
		return section
	}
	return wrap(in.ABI, kind, section, in.Addr)
}

// sound reports whether the rules find no error in the section of a file.
func sound(file []byte) bool {
	o := object(file)
	return o != nil && len(o.SFrames) == 1 && !sectionRepairs(o)
}
