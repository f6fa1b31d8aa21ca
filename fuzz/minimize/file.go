// Package minimize makes files smaller for which a program does something
// that it should not do: raw sections, ELF files with sections in them,
// archives of these, and, knowing nothing of it, anything else.
package minimize

import (
	"bytes"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/shrinking"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// File returns the smallest file that it finds of those for which keep
// holds. It must hold for the data given, which are left alone.
func File(data []byte, keep func([]byte) bool) []byte {
	f := &file{data: data, keep: keep}
	switch o := f.object(); {
	case bytes.HasPrefix(data, []byte("!<arch>\n")):
		if b := archive(data, keep); b != nil {
			return b
		}
	case o == nil || len(o.SFrames) == 0:
	case o.ELF == nil:
		f.section(o.SFrames[0], plain{})
	default:
		f.elf(o)
	}
	return shrinking.Bytes(f.data, keep)
}

// file is a file on its way to a smaller one.
type file struct {
	data []byte
	keep func([]byte) bool
}

// try takes a file over if it will do.
func (f *file) try(data []byte) bool {
	if data == nil || !f.keep(data) {
		return false
	}
	f.data = data
	return true
}

// object reads the file as it is now; of an archive, nothing.
func (f *file) object() *reader.Object {
	all := scan(f.data)
	if len(all) != 1 || all[0].Member != "" {
		return nil
	}
	return all[0]
}

// scan reads a file. Members that a thin archive names are not looked for.
func scan(data []byte) (all []*reader.Object) {
	if bytes.HasPrefix(data, []byte("!<thin>\n")) {
		return nil
	}
	err := reader.ScanReader("", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		all = append(all, o)
		return nil
	})
	if err != nil {
		return nil
	}
	return all
}

// frame puts a section into a file.
type frame interface {
	// around returns the file that a section stands in, nil where that can't
	// be had. The section has lost the bytes of cuts since the last time.
	around(section []byte, cuts []model.Span) []byte
	// taken tells that the last file will do.
	taken(section []byte)
}

// plain is no file around a section.
type plain struct{}

func (plain) around(section []byte, _ []model.Span) []byte { return section }
func (plain) taken([]byte)                                 {}

// section shrinks a section in a frame, which must do as it is.
func (f *file) section(sf *reader.SFrame, in frame) {
	addr, relocatable := uint64(0), false
	if sf.Section != nil {
		addr = sf.Section.Addr()
	}
	opts := reader.SectionOptions{Addr: addr}
	if len(sf.Relocs) > 0 {
		opts.Relocatable, relocatable = true, true
	}
	c := shrinking.Section{
		Relocatable: relocatable,
		Decode: func(b []byte) *model.Section {
			s, _ := reader.DecodeSection(b, opts)
			return s
		},
		Try: func(b []byte, cuts []model.Span) bool {
			if !f.try(in.around(b, cuts)) {
				return false
			}
			in.taken(b)
			return true
		},
	}
	b := c.Shrink(sf.Data)
	if !relocatable {
		b = f.plainer(c, b, in)
	}
	shrinking.Zero(b, func(b []byte) bool { return c.Try(b, nil) })
}

// plainer writes the section in the canonical way and makes its plan
// simpler, if that makes it no larger.
func (f *file) plainer(c shrinking.Section, b []byte, in frame) []byte {
	s := c.Decode(b)
	if s == nil {
		return b
	}
	p, err := generator.FromModel(s)
	if err != nil {
		return b
	}
	if _, fixed := in.(*spliced); fixed {
		return b // there is no telling what was cut
	}
	most := len(b)
	shrinking.Plan(p, func(q *generator.Plan) bool {
		again, err := generator.Encode(q)
		if err != nil || len(again) > most || !c.Try(again, nil) {
			return false
		}
		b = again
		return true
	})
	return b
}
