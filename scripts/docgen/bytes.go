package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// field is a run of bytes with a name and what they say.
type field struct {
	model.Span
	name, value string
}

// Limits of a listing.
const (
	lineBytes = 16
	mostBytes = 64 // of a run without fields
)

// annotate shows the bytes of a finding with those around that belong to the
// same header, entry or row. data are those of the file.
func annotate(data []byte, o *reader.Object, f *rules.Finding) string {
	if f.Span.Len == 0 && f.Span.Off == 0 && !f.InSection {
		return "" // about the whole file
	}
	title, all := "", []field(nil)
	base := o.Base
	if f.InSection {
		for _, sf := range o.SFrames {
			if sf.Index == f.SectionIndex {
				title, all = inSection(sf, f.Span)
				data, base = sf.Data, 0
			}
		}
	} else {
		title, all = inFile(data, o, f.Span)
	}
	if base < int64(len(data)) {
		data = data[base:]
	}
	return listing(data, title, all, f.Span)
}

// listing writes fields line by line, those to blame with a mark.
func listing(data []byte, title string, all []field, blamed model.Span) string {
	var lines [][3]string
	var marks []bool
	add := func(sp model.Span, text string) {
		sp = sp.Clip(int64(len(data)))
		for first := true; sp.Len > 0; first = false {
			n := min(sp.Len, lineBytes)
			part := model.Span{Off: sp.Off, Len: n}
			if !first {
				text = ""
			}
			lines = append(lines, [3]string{fmt.Sprintf("%04x", sp.Off), fmt.Sprintf("% x", data[sp.Off:][:n]), text})
			marks = append(marks, part.Overlaps(blamed) || blamed.Len == 0 && part.Contains(blamed.Off))
			sp.Off, sp.Len = sp.Off+n, sp.Len-n
		}
	}
	for _, x := range all {
		text := x.name
		if x.value != "" {
			text += " = " + x.value
		}
		add(x.Span, text)
	}
	width := 0
	for _, l := range lines {
		width = max(width, len(l[1]))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", title)
	for i, l := range lines {
		mark := " "
		if marks[i] {
			mark = ">"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %s  %-*s  %s", mark, l[0], width, l[1], l[2]), " ") + "\n")
	}
	if !slices.Contains(marks, true) && blamed.Off >= int64(len(data)) {
		fmt.Fprintf(&b, "> %04x  the end of the data\n", blamed.Off)
	}
	if rest := blamed.End() - end(all); len(all) > 0 && rest > 0 {
		fmt.Fprintf(&b, "  and %d more bytes\n", rest)
	}
	return b.String()
}

func end(all []field) int64 {
	last := int64(0)
	for _, x := range all {
		last = max(last, x.End())
	}
	return last
}

// plain is a run of bytes without fields.
func plain(sp model.Span, size int64) []field {
	sp = sp.Clip(size)
	sp.Len = min(sp.Len, mostBytes)
	return []field{{sp, "", ""}}
}

// inSection returns the node of the section that the finding begins in.
func inSection(sf *reader.SFrame, at model.Span) (string, []field) {
	s, size := sf.Section, int64(len(sf.Data))
	if s == nil || at.Off < s.HeaderSpan().End() {
		return "the header", headerFields(sf)
	}
	if at.Off >= size {
		at.Off = size - 1
	}
	for r := range s.Regions() {
		if !r.Contains(at.Off) {
			continue
		}
		switch r.Kind {
		case model.RegionFDE:
			return fmt.Sprintf("FDE %d", r.FDE), fdeFields(s.FDE(r.FDE), s.FDE(r.FDE).Span())
		case model.RegionAttr:
			return fmt.Sprintf("the attribute of FDE %d", r.FDE), fdeFields(s.FDE(r.FDE), s.FDE(r.FDE).AttrSpan())
		case model.RegionFRE:
			row := s.FDE(r.FDE).FRE(r.FRE)
			return fmt.Sprintf("row %d of FDE %d", r.FRE, r.FDE), rowFields(row)
		}
		if at.Len == 0 {
			at = r.Span
		}
		return regionTitle(r.Kind), plain(at, size)
	}
	return "the section", plain(at, size)
}

func regionTitle(k model.RegionKind) string {
	switch k {
	case model.RegionAux:
		return "the auxiliary header"
	case model.RegionPadding, model.RegionUnknown:
		return "bytes that no header, FDE or row claims"
	}
	return k.String()
}

func headerFields(sf *reader.SFrame) []field {
	var all []field
	version := model.Version(0)
	if sf.Section != nil {
		version = sf.Section.Version()
	}
	for f := range version.Info().HeaderFields() {
		x := field{f.Span(), f.String(), ""}
		if sf.Section != nil {
			x.value = headerValue(sf.Section, f)
		}
		all = append(all, x)
	}
	return all
}

func headerValue(s *model.Section, f model.HeaderField) string {
	h := s.Header()
	switch f {
	case model.HdrMagic, model.HdrFlags:
		return fmt.Sprintf("0x%x", h.Value(f))
	}
	return fmt.Sprint(int64(h.Value(f)))
}

// fdeFields returns the fields of an FDE that lie in a span.
func fdeFields(f model.FDE, in model.Span) []field {
	values := []string{
		model.FDEStart: fmt.Sprint(f.RawStart()), model.FDEFuncSize: fmt.Sprint(f.Size()),
		model.FDEStartFREOff: fmt.Sprint(f.StartFREOff()), model.FDENumFREs: fmt.Sprint(f.ClaimedFREs()),
		model.FDEInfo: fmt.Sprintf("0x%02x", f.Info()), model.FDEInfo2: fmt.Sprintf("0x%02x", f.Info2()),
		model.FDERepSize: fmt.Sprint(f.RepSize()), model.FDEPadding: fmt.Sprintf("0x%04x", f.Padding()),
	}
	var all []field
	for k, v := range values {
		k := model.FDEField(k)
		if sp := f.FieldSpan(k); sp.Len > 0 && sp.Off >= in.Off && sp.End() <= in.End() {
			all = append(all, field{sp, model.FieldName(f.Section().Version(), k), v})
		}
	}
	return all
}

func rowFields(r model.FRE) []field {
	all := []field{
		{r.StartSpan(), "sfre_start_address", fmt.Sprint(r.Start())},
		{r.InfoSpan(), "info", fmt.Sprintf("0x%02x", r.Info())},
	}
	flexible := r.FDEType() == model.SFRAME_FDE_TYPE_FLEX
	for k := range r.NumWords() {
		value := fmt.Sprint(r.Word(k))
		if flexible {
			value += fmt.Sprintf(" (0x%x)", r.Control(k))
		}
		all = append(all, field{r.WordSpan(k), fmt.Sprintf("word %d", k+1), value})
	}
	return all
}
