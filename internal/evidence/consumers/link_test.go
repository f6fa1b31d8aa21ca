package consumers_test

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// link is a consumer that merges sections.
type link struct {
	profile string
	command func(arch string) string
	see     func(r result, in *reader.Object, out []byte) outcome
}

func always(tool string) func(string) string { return func(string) string { return tool } }

var links = []link{
	{"gnu-ld-2.40", byArch("bookworm", "ld"), seeMerged},
	{"gnu-ld-2.44", byArch("trixie", "ld"), seeMerged},
	{"gnu-ld-2.47", byArch("sid", "ld"), seeMerged},
	{"mold-2.41", always("trixie-mold"), seeCopied},
	{"mold-2.42.1", always("forky-mold"), seeMerged}, // testing has it for a while only
	{"mold-3", always("sid-mold"), seeMerged},
	{"lld-23", always("sid-lld"), seeCopied},
}

// failed is what all linkers have in common.
func failed(r result) (outcome, bool) {
	switch {
	case r.killed:
		return outcome{consumers.Crashes, lastLine(r.err)}, true
	case r.exit != 0:
		return outcome{consumers.Rejects, lastLine(r.err)}, true
	}
	for line := range strings.Lines(r.err) {
		if strings.Contains(line, "error in") && strings.Contains(line, "sframe") {
			return outcome{consumers.Rejects, strings.TrimSpace(line)}, true
		}
	}
	return outcome{}, false
}

// linked returns the SFrame section of a linker's output, nil where there is
// none or an empty one.
func linked(out []byte) (*reader.Object, *reader.SFrame) {
	var obj *reader.Object
	_ = reader.ScanReader("out", bytes.NewReader(out), int64(len(out)), reader.Options{}, func(o *reader.Object) error {
		obj = o
		return nil
	})
	if obj == nil || len(obj.SFrames) == 0 || len(obj.SFrames[0].Data) == 0 {
		return obj, nil
	}
	return obj, obj.SFrames[0]
}

// seeMerged looks for every function of the input in the output.
func seeMerged(r result, in *reader.Object, out []byte) outcome {
	if o, ok := failed(r); ok {
		return o
	}
	obj, f := linked(out)
	switch {
	case f == nil:
		return outcome{consumers.Ignores, "no section"}
	case f.Section == nil || len(f.Faults) > 0:
		return outcome{consumers.Misreads, "the output is damaged"}
	}
	want, got := facts(in.SFrames[0].Section), facts(f.Section)
	if n := dump.Functions(in.SFrames[0].Data); n != len(got) {
		return outcome{consumers.Misreads, fmt.Sprintf("%d functions of %d", len(got), n)}
	}
	slices.Sort(want)
	slices.Sort(got)
	for i := range want {
		if want[i] != got[i] {
			return outcome{consumers.Misreads, fmt.Sprintf("%s, not %s", got[i], want[i])}
		}
	}
	if d := misplaced(in, obj, in.SFrames[0].Section, f.Section); d != "" {
		return outcome{consumers.Misreads, d}
	}
	return outcome{consumers.Reads, ""}
}

// misplaced says which function of the output starts where it should not.
// That can be told where the code of the input is in one section.
func misplaced(in, out *reader.Object, a, b *model.Section) string {
	code := -1
	for i, s := range in.ELF.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 {
			if code >= 0 {
				return ""
			}
			code = i
		}
	}
	if code < 0 {
		return ""
	}
	text := &in.ELF.Sections[code]
	at := slices.IndexFunc(out.ELF.Sections, func(s reader.Section) bool { return s.Name == text.Name })
	if at < 0 {
		return ""
	}
	made := map[string]int{}
	for i, line := range facts(b) {
		made[fmt.Sprintf("%x %s", b.FDE(i).Start(), line)]++
	}
	for i, line := range facts(a) {
		f := a.FDE(i)
		if f.Resolved() && f.Place() == code && made[fmt.Sprintf("%x %s", out.ELF.Sections[at].Addr+f.Start(), line)] == 0 {
			return fmt.Sprintf("function %d: not at 0x%x", i, out.ELF.Sections[at].Addr+f.Start())
		}
	}
	for i := range a.NumFDEs() {
		if f := a.FDE(i); f.Resolved() && (f.Place() != code || f.Start() >= text.Size) {
			return ""
		}
	}
	for i := range b.NumFDEs() {
		start := b.FDE(i).Start()
		if !slices.ContainsFunc(out.ELF.ExecRanges(), func(r reader.AddrRange) bool { return r.Contains(start, 1) }) {
			return fmt.Sprintf("function %d: at 0x%x, which is not code", i, start)
		}
	}
	return ""
}

// facts says in a line for each function what the section states of it,
// except where it is.
func facts(s *model.Section) []string {
	var out []string
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		line := fmt.Sprintf("size %x info %x %x rep %x fixed %d %d:", f.Size(), f.Info(), f.Info2(), f.RepSize(),
			s.Header().FixedRAOffset, s.Header().FixedFPOffset)
		f = dump.WithRows(s, i)
		for r := range f.FREs() {
			line += fmt.Sprintf(" %x/%x%x", r.Start(), r.Info(), r.Words(nil))
		}
		if f.NumFREs() != int(f.ClaimedFREs()) {
			line += " rows missing"
		}
		out = append(out, line)
	}
	return out
}

// seeCopied looks for the input's bytes in the output, start fields aside.
func seeCopied(r result, in *reader.Object, out []byte) outcome {
	if o, ok := failed(r); ok {
		return o
	}
	_, f := linked(out)
	data := in.SFrames[0].Data
	if f == nil {
		return outcome{consumers.Ignores, "no section"}
	}
	if len(f.Data) < len(data) {
		return outcome{consumers.Misreads, "fewer bytes"}
	}
	a, b := bytes.Clone(data), bytes.Clone(f.Data[:len(data)])
	for _, rel := range in.SFrames[0].Relocs {
		blank(model.Span{Off: rel.Offset, Len: 8}, a, b)
	}
	if s := in.SFrames[0].Section; s != nil { // relocations that the reader does not know
		for i := range s.NumFDEs() {
			blank(s.FDE(i).FieldSpan(model.FDEStart), a, b)
		}
	}
	if !bytes.Equal(a, b) {
		return outcome{consumers.Misreads, "other bytes"}
	}
	return outcome{consumers.Ignores, "copied"}
}

// blank makes bytes the same in all slices.
func blank(sp model.Span, all ...[]byte) {
	for _, b := range all {
		if sp.Off < int64(len(b)) {
			clear(b[sp.Off:min(sp.End(), int64(len(b)))])
		}
	}
}

// run links a subject alone.
func (c *link) run(t *testing.T, bin, dir string, s subject, o *reader.Object) outcome {
	t.Helper()
	in, out := filepath.Join(dir, "in.o"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, s.file, 0o600))
	os.Remove(out)
	args := []string{"--unresolved-symbols=ignore-all", "-o", out, in}
	if strings.HasSuffix(c.command("ARCH"), "ARCH-ld") && archOf(o) == "aarch64" && o.ELF.BigEndian() {
		args = append([]string{"-EB"}, args...)
	}
	r := run(t, filepath.Join(bin, c.command(archOf(o))), args...)
	made, _ := os.ReadFile(out) // there may be none
	return c.see(r, o, made)
}

// TestInteropLink holds the profiles of linkers against those linkers, on
// all relocatable files of the corpus and on its raw sections, wrapped.
func TestInteropLink(t *testing.T) {
	bin := toolchain.Bin(t)
	var all []subject
	for _, e := range corpus(t) {
		for _, s := range e.subjects(t, true) {
			o := s.read(t)
			// A linker rejects an object whose sections are not in the file before it looks for SFrame data.
			broken := slices.ContainsFunc(o.Faults, func(f reader.Fault) bool { return f.Code == reader.SectionContradicted })
			// Linkers take the strings of the old way to compress debug information for text.
			old := o.ELF != nil && slices.ContainsFunc(o.ELF.Sections, func(x reader.Section) bool { return strings.HasPrefix(x.Name, ".zdebug_") })
			// A section with a prefix before its name is copied to the output under that name.
			prefixed := len(o.SFrames) > 0 && strings.HasSuffix(o.SFrames[0].Name, "t.sframe")
			if !broken && !old && !prefixed && o.ELF != nil && o.ELF.Relocatable() && len(o.SFrames) > 0 {
				all = append(all, s)
			}
		}
	}
	all = sampled(all)
	for _, c := range links {
		t.Run(c.command("ARCH"), func(t *testing.T) {
			c.need(t)
			if n := c.compare(t, bin, all); !testing.Short() {
				verified(t, c.profile, n)
			}
		})
	}
}

// need skips a test for a linker that is not there, or no longer of its version.
func (c *link) need(t *testing.T) {
	tool := toolchain.Tool(t, c.command("x86_64"))
	if c.command("") == "forky-mold" && !strings.HasPrefix(run(t, tool, "--version").out, "mold 2.42.") {
		t.Skip("testing has another mold now")
	}
}

// compare links each subject alone, and returns the number of comparisons.
func (c *link) compare(t *testing.T, bin string, all []subject) int {
	dir := t.TempDir()
	y := &tally{profile: profile(t, c.profile)}
	for _, s := range all {
		if o := s.read(t); len(o.SFrames) > 0 {
			y.compare(s.name, o, o.SFrames[0], c.run(t, bin, dir, s, o))
		}
	}
	return y.report(t)
}
