package cfi_test

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/reader"
)

// tally counts what has been compared.
type tally struct{ files, sections, fdes, rows, dropped, undefined int }

var (
	heading  = regexp.MustCompile(`^Contents of the (\S+) section:`)
	fdeLine  = regexp.MustCompile(`^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ FDE cie=\S+ pc=([0-9a-f]+)\.\.([0-9a-f]+)`)
	cieLine  = regexp.MustCompile(`^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ CIE `)
	inParens = regexp.MustCompile(` \(\w+\)`) // the name of a register, after its number
)

// printed is a row as readelf prints it: PC, CFA, FP and RA.
type printed struct {
	pc          uint64
	cfa, fp, ra string
}

func (p printed) String() string {
	return fmt.Sprintf("%#x cfa %s fp %s ra %s", p.pc, p.cfa, p.fp, p.ra)
}

// printedFDE is an FDE as readelf prints it.
type printedFDE struct {
	off        int64
	start, end uint64
	rows       []printed
}

// readelf parses what "readelf --debug-dump=frames-interp" prints, by section
// in order of the file.
func readelf(t *testing.T, out io.Reader, fp string) map[string][][]printedFDE {
	all := map[string][][]printedFDE{}
	var cur *[]printedFDE
	var name string
	var cols map[string]int
	sc := bufio.NewScanner(out)
	sc.Buffer(nil, 1<<20)
	inCIE := false
	for sc.Scan() {
		line := sc.Text()
		if m := heading.FindStringSubmatch(line); m != nil {
			name = m[1]
			all[name] = append(all[name], nil)
			cur = &all[name][len(all[name])-1]
			continue
		}
		f := strings.Fields(inParens.ReplaceAllString(line, ""))
		switch {
		case len(f) == 0 || cur == nil:
		case cieLine.MatchString(line):
			inCIE = true
		case fdeLine.MatchString(line):
			inCIE = false
			m := fdeLine.FindStringSubmatch(line)
			*cur = append(*cur, printedFDE{off: int64(hex(t, m[1])), start: hex(t, m[2]), end: hex(t, m[3])})
		case f[0] == "LOC":
			cols = map[string]int{}
			for i, c := range f {
				cols[c] = i
			}
		case !inCIE && len(f) == len(cols) && len(*cur) > 0 && len(f[0]) == 16:
			cell := func(c string) string {
				if i, ok := cols[c]; ok {
					return f[i]
				}
				return "u"
			}
			d := &(*cur)[len(*cur)-1]
			d.rows = append(d.rows, printed{hex(t, f[0]), cell("CFA"), cell(fp), cell("ra")})
		}
	}
	require.NoError(t, sc.Err())
	return all
}

func hex(t *testing.T, s string) uint64 {
	v := must.Get(strconv.ParseUint(s, 16, 64))(t)
	return v
}

// effective returns the rows that have PCs of the FDE, and how many have not.
func (d printedFDE) effective() (rows []printed, dropped int) {
	for i, r := range d.rows {
		if r.pc >= d.end || i+1 < len(d.rows) && d.rows[i+1].pc == r.pc {
			dropped++
			continue
		}
		rows = append(rows, r)
	}
	return rows, dropped
}

// show prints our row as readelf does.
func show(e *reader.ELF, r cfi.Row) printed {
	name := func(reg uint32) string {
		abi := e.ABI()
		if reg == abi.SP && e.Machine == elf.EM_AARCH64 {
			return "sp"
		}
		return abi.RegName(reg)
	}
	rule := func(r cfi.Rule) string {
		switch r.Kind {
		case cfi.Unspecified, cfi.Undefined:
			return "u"
		case cfi.SameValue:
			return "s"
		case cfi.Offset:
			return fmt.Sprintf("c%+d", r.Offset)
		case cfi.ValOffset:
			return fmt.Sprintf("v%+d", r.Offset)
		case cfi.Register:
			return fmt.Sprint("r", r.Reg)
		case cfi.Expression:
			return "exp"
		case cfi.ValExpression:
			return "vexp"
		}
		return "?"
	}
	p := printed{pc: r.Start, fp: rule(r.FP), ra: rule(r.RA)}
	switch r.CFA.Kind {
	case cfi.Register:
		p.cfa = fmt.Sprintf("%s%+d", name(r.CFA.Reg), r.CFA.Offset)
	case cfi.Expression:
		p.cfa = "exp"
	default:
		p.cfa = r.CFA.Kind.String()
	}
	return p
}

// compare compares the rows of a file with those of readelf.
func compare(t *testing.T, bin, path string) (n tally) {
	t.Helper()
	err := reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		require.Empty(t, o.Member, "archives are not compared")
		frames := must.Get(cfi.Load(o, 0))(t)
		if len(frames.Sections) == 0 {
			return nil
		}
		cmd := exec.Command(filepath.Join(bin, "sid-"+o.ELF.ABI().Arch+"-readelf"), "--debug-dump=frames-interp", "--debug-dump=no-follow-links", path)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		out := must.Get(cmd.StdoutPipe())(t)
		require.NoError(t, cmd.Start())
		abi := o.ELF.ABI()
		fp := abi.FPName
		all := readelf(t, out, fp)
		if err := cmd.Wait(); complaints.Len() > 0 { // the exit status is 1 for much else
			require.NoError(t, err, complaints.String())
		}
		n.files++
		for _, s := range frames.Sections {
			require.NotEmpty(t, all[s.Name], "%s: %s", path, s.Name)
			n.section(t, o.ELF, path, s, all[s.Name][0])
			all[s.Name] = all[s.Name][1:]
		}
		return nil
	})
	require.NoError(t, err)
	return n
}

func (n *tally) section(t *testing.T, e *reader.ELF, path string, s cfi.Loaded, want []printedFDE) {
	n.sections++
	require.Empty(t, s.Faults(), path)
	require.Equal(t, len(want), s.NumFDEs(), "%s: FDEs of %s", path, s.Name)
	var run cfi.Runner
	var row cfi.Row
	i := 0
	for f := range s.FDEs() {
		w := want[i]
		i++
		n.fdes++
		require.Equal(t, cfi.NoFault, f.Fault.Code, "%s: %v", path, f.Fault)
		require.Equal(t, w.off, f.Span.Off, path)
		require.Equal(t, w.end-w.start, f.Size, "%s: FDE at %#x", path, f.Span.Off)
		if !f.Usable() {
			continue
		}
		// readelf prints starts in relocatable files with the symbol's value.
		rel := f.Start.Addr - w.start
		if !s.Input().Relocatable {
			require.Zero(t, rel, "%s: FDE at %#x", path, f.Span.Off)
		}
		rows, dropped := w.effective()
		n.dropped += dropped
		allNops := len(w.rows) == 0
		k := 0
		for run.Reset(&f); run.Next(&row); k++ {
			if allNops {
				require.Zero(t, k, "%s: FDE at %#x has no instruction", path, f.Span.Off)
				continue
			}
			require.Less(t, k, len(rows), "%s: FDE at %#x: more rows", path, f.Span.Off)
			got := show(e, row)
			got.pc -= rel
			if row.CFA.Kind == cfi.Undefined {
				// An offset or a register after an expression: DWARF leaves it
				// undefined, and readelf goes on with the rule before that.
				got.cfa = rows[k].cfa
				n.undefined++
			}
			if got != rows[k] {
				require.Equal(t, rows[k].String(), got.String(), "%s: %s, FDE at %#x, row %d", path, s.Name, f.Span.Off, k)
			}
			n.rows++
		}
		require.Equal(t, cfi.NoFault, run.Fault().Code, "%s: FDE at %#x: %v", path, f.Span.Off, run.Fault())
		if !allNops {
			require.Equal(t, len(rows), k, "%s: FDE at %#x", path, f.Span.Off)
		}
	}
}

// TestInteropReadelf compares rows with readelf's, of the corpus and of the
// files of SFRAME_CFI (a glob pattern), if set.
func TestInteropReadelf(t *testing.T) {
	bin := toolchain.Bin(t)
	patterns := []string{"../../../corpus/files/binutils-*/*/*.o", "../../../corpus/files/binutils-*/*/*.elf", "../../../corpus/files/binutils-*/*/*.so", "../../../corpus/files/llvm-23/*/*.o"}
	if p := os.Getenv("SFRAME_CFI"); p != "" {
		patterns = append(patterns, p)
	}
	var n tally
	for _, p := range patterns {
		files := must.Get(filepath.Glob(p))(t)
		for _, file := range files {
			m := compare(t, bin, file)
			n.files += m.files
			n.sections += m.sections
			n.fdes += m.fdes
			n.rows += m.rows
			n.dropped += m.dropped
			n.undefined += m.undefined
		}
	}
	require.Greater(t, n.rows, 1000)
	t.Logf("%+v", n)
}
