package campaign

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// brokenInput is a raw section with a break.
func brokenInput(t *testing.T, name string) *Input {
	t.Helper()
	for seed := range uint64(50) {
		c := generator.Default()
		c.Seed, c.Funcs, c.Rows = int64(seed), 3, 3
		in := &Input{Class: Broken, Break: name, Recipe: breaks.Recipe{Config: c, Container: breaks.Raw, Breaks: []breaks.Step{{Name: name, Seed: seed}}}}
		s, err := in.Recipe.Replay()
		if err != nil {
			continue
		}
		in.ABI, in.Version, in.Data, in.Addr = s.Plan().ABIInfo(), s.Plan().Version, s.File(), s.Addr()
		return in
	}
	t.Fatal("no place for " + name)
	return nil
}

// TestCause repairs one thing after the other: a program fails because of a field, and goes on if that is right.
func TestCause(t *testing.T) {
	raw := &Target{lib: nil}
	raw.args = []string{"x"}
	for name, want := range map[string]string{"fdes-beyond": "the FDEs are beyond", "fre-type": "func_info", "no-rep-size": "func_rep_size", "abi": "sfh_abi_arch"} {
		in := brokenInput(t, name)
		broken := object(in.Data)
		rule := breaks.Lookup(name).Rule
		require.True(t, errorsIn(broken)[rule], name)
		c := in.cause(raw, in.Data, func(data []byte) (bool, bool) {
			o := object(data)
			fails := o != nil && errorsIn(o)[rule]
			return !fails, fails
		})
		assert.True(t, strings.HasSuffix(strings.Join(c.Repairs, ","), want) || strings.Contains(strings.Join(c.Repairs, ","), want), "%s: %v", name, c)
		assert.False(t, c.Clean)
		assert.Len(t, c.How, len(c.Repairs))
	}
}

// TestRoom makes room for the attributes of FDEs in an FRE sub-section of which too little is left.
func TestRoom(t *testing.T) {
	for file, want := range map[string]string{
		"libsframe-crash-8d56116d.sframe": "sfh_fre_len",
		"libsframe-crash-69a7816e.sframe": fresBeyond + " and sfh_fre_len", // it starts beyond the section, too
	} {
		data := readConsumer(t, file)
		bad := func(data []byte) bool { x := errorsIn(object(data)); return x["SF3003"] || x["SF1013"] }
		require.True(t, bad(data))
		c := inputOf(data).cause(&Target{args: []string{"x"}}, data, func(data []byte) (bool, bool) { return !bad(data), bad(data) })
		assert.Equal(t, []string{want}, c.Repairs)
	}
}

// TestCauseOfTwo finds the two fields that have to be repaired together, and no third one.
func TestCauseOfTwo(t *testing.T) {
	in := brokenInput(t, "fre-type")
	o := object(in.Data)
	data := bytes.Clone(in.Data)
	sp := model.HdrNumFREs.Span()
	data[sp.Off]++
	in.Data, in.Class, in.Break = data, Mutated, ""
	bad := func(data []byte) bool {
		x := object(data)
		return x == nil || errorsIn(x)["SF2001"] || !bytes.Equal(data[sp.Off:sp.End()], o.SFrames[0].Data[sp.Off:sp.End()])
	}
	require.True(t, bad(data))
	c := in.cause(&Target{args: []string{"x"}}, data, func(data []byte) (bool, bool) { return !bad(data), bad(data) })
	require.Len(t, c.Repairs, 1)
	assert.Regexp(t, `^sfh_num_fres and \w*func_info$`, c.Repairs[0])
}

// TestCausesOfFiles explains files of the corpus: an FRE that can't be decoded, and a failure that stays if everything is repaired.
func TestCausesOfFiles(t *testing.T) {
	words := func(o *reader.Object) bool { // FREs with more data words than there is room for
		s := o.SFrames[0].Section
		return s != nil && s.NumFDEs() > 0 && s.FDE(0).NumFREs() == 0
	}
	for file, x := range map[string]struct {
		bad    func(o *reader.Object) bool
		want   []string
		anyway bool
	}{
		"objdump-2.44-crash-d67e01a7.elf": {words, []string{fresBeyond, "fre_info"}, false},
		"readelf-2.40-crash-8544eadb.elf": {func(*reader.Object) bool { return true }, nil, true},
	} {
		data := readConsumer(t, file)
		if file == "objdump-2.44-crash-d67e01a7.elf" { // the FREs after the FDEs, where the program reads them
			data = slices.Clone(data)
			data[object(data).SFrames[0].Offset+model.HdrFREOff.Span().Off] = 20
		}
		try := func(data []byte) (bool, bool) { o := object(data); return !x.bad(o), x.bad(o) }
		_, same := try(data)
		require.True(t, same, file)
		c := inputOf(data).cause(&Target{args: []string{"x"}}, data, try)
		assert.Equal(t, x.want, c.Repairs, file)
		assert.Equal(t, x.anyway, c.Anyway, file)
	}
}

// TestEmpty: a section that is too short to be recognized misses its header.
func TestEmpty(t *testing.T) {
	lib := &Target{lib: &Library{Kind: Own}}
	empty := (&Input{Class: Mutated}).cause(lib, nil, func(data []byte) (bool, bool) { return len(data) >= 28, len(data) < 28 })
	assert.Equal(t, []string{sectionSize}, empty.Repairs)
	assert.Equal(t, []string{"the section has 0 bytes, its header 28"}, empty.How)
}

// TestCleanFile has no cause in a valid file.
func TestCleanFile(t *testing.T) {
	in, err := maker{seed: 1}.input(0, shape{kind: breaks.Raw})
	require.NoError(t, err)
	c := in.cause(&Target{args: []string{"x"}}, in.Data, func([]byte) (bool, bool) { return false, true })
	assert.Equal(t, &Cause{Clean: true}, c)
}

// TestFaults merges the places of one missing check, and nothing else.
func TestFaults(t *testing.T) {
	crash := func(key, message string, repairs ...string) Failing {
		return Failing{Group: "p", Kind: Crash, Key: key, Message: message, Repairs: repairs}
	}
	all := []Failing{
		crash("asan access a.c:1", "", "sfh_num_fdes", "size"),
		crash("SIGSEGV at lib+0x1", badRead, "size"),
		crash("asan access a.c:3", "", "sfh_fre_len", "size"),
		crash("asan write a.c:3", "", "size"),
		crash("heap free(): invalid pointer", "", "size"),
		crash("SIGSEGV at libbfd.so xmalloc+0x18", "", "size"),
		crash("assertion a.c:4 x", "", "size"),
		crash("assertion a.c:5 y", "", "size"),
		crash("ubsan a.c:9 signed integer overflow: -N * N", "", "words"),
		crash("ubsan a.c:9 signed integer overflow: N * N", "", "words"),
		crash("SIGSEGV at lib+0x9", badRead),
		{Group: "p", Kind: Crash, Key: "panic b.rs:1", Repairs: []string{AroundSection}, Place: true},
		{Group: "p", Kind: Misreads, Key: "p: demand"},
		{Group: "p", Kind: Disagree, Key: "p: demand"},
		{Group: "p", Kind: Disagree, Key: "size, where the section is broken"},
		{Group: "q", Kind: Crash, Key: "asan access a.c:1", Repairs: []string{"sfh_num_fdes"}},
	}
	assert.Equal(t, []string{"read out of bounds: size", "read out of bounds: size", "read out of bounds: size",
		"write out of bounds: size", "write out of bounds: size", "write out of bounds: size",
		"assertion a.c:4 x: size", "assertion a.c:5 y: size",
		"ubsan a.c:9 signed integer overflow: words", "ubsan a.c:9 signed integer overflow: words",
		"SIGSEGV at lib+0x9", "panic b.rs:1: " + AroundSection, "misreads p: demand", "misreads p: demand",
		"disagree size, where the section is broken", "read out of bounds: sfh_num_fdes"}, Faults(all))
}

// TestELFField names the fields of the file around a section.
func TestELFField(t *testing.T) {
	s, err := breaks.Recipe{Config: generator.Default(), Container: breaks.Rel}.Subject()
	require.NoError(t, err)
	assert.Equal(t, "e_machine of the ELF header", elfField(s.File(), 18))
	first := append([]byte(nil), s.File()...)
	first[18]++
	in := &Input{Class: Mutated, Recipe: breaks.Recipe{Config: generator.Default(), Container: breaks.Rel}}
	assert.Equal(t, "e_machine of the ELF header", in.field(first, func(data []byte) (bool, bool) { return bytes.Equal(data, s.File()), false }))
}
