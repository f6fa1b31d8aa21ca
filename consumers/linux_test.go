package consumers_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/internal/dumped"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropLinux holds the profile of Linux against kernel/unwind of the source tree
// that SFRAME_LINUX names, compiled for user space with validation: all sections of the
// corpus in the byte order of AMD64 and AArch64, and a lookup and a step for each FRE.
func TestInteropLinux(t *testing.T) {
	drivers := linuxDrivers(t)
	d := &driven{profile: "linux", takes: func(o *reader.Object) bool { return drivers[o.ELF.ABI().ID] != "" }}
	d.see = func(t *testing.T, o *reader.Object, f *reader.SFrame) outcome {
		return seeLinux(t, drivers[o.ELF.ABI().ID], o, f)
	}
	d.corpus(t)
}

// TestInteropLinuxFlips does the same for every section that one bit tells from a good
// one.
func TestInteropLinuxFlips(t *testing.T) {
	drivers := linuxDrivers(t)
	for _, e := range corpus(t) {
		if !slices.Contains([]string{"files/hand/v3-amd64.sframe", "files/raw/binutils-2.47-amd64-static.sframe",
			"files/hand/v3-aarch64.sframe"}, e.File) {
			continue
		}
		good, addr := e.rawSection(t), e.address(t)
		host := hostOf(good.Section)
		t.Run(filepath.Base(e.File), func(t *testing.T) {
			flipAll(t, "linux", good.Data, func(data []byte, _ string) (*reader.Object, outcome) {
				o := subject{e.File, host.exec(decode(data, addr), addr), true}.read(t)
				if s := o.SFrames[0].Section; s != nil && s.ABI().ID != o.ELF.ABI().ID {
					o.SFrames = nil // nothing says whose registers should be meant
					return o, outcome{}
				}
				return o, seeLinux(t, drivers[o.ELF.ABI().ID], o, o.SFrames[0])
			})
		})
	}
}

// linuxDrivers returns the readers of the tree for the ABIs that a machine with the
// byte order of AMD64 can try.
func linuxDrivers(t *testing.T) map[model.ABI]string {
	tree := sourceTree(t, "SFRAME_LINUX", "Linux with kernel/unwind/sframe.c")
	return map[model.ABI]string{
		model.SFRAME_ABI_AMD64_ENDIAN_LITTLE:   linuxDriver(t, tree, 7, 6),
		model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE: linuxDriver(t, tree, 31, 29),
	}
}

// linuxDriver compiles the reader of the tree for a machine with these numbers of SP
// and FP.
func linuxDriver(t *testing.T, tree string, sp, fp int) string {
	stubs := t.TempDir()
	for _, f := range []string{"kernel/unwind/sframe.c", "kernel/unwind/user.c"} {
		source, err := os.ReadFile(filepath.Join(tree, f))
		require.NoError(t, err)
		for line := range strings.Lines(string(source)) {
			name, ok := strings.CutPrefix(strings.TrimSpace(line), "#include <")
			if ok && !strings.HasPrefix(name, "linux/unwind_types.h") {
				path := filepath.Join(stubs, strings.TrimSuffix(name, ">"))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
				require.NoError(t, os.WriteFile(path, nil, 0o666))
			}
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(stubs, "linux", "types.h"), nil, 0o666))
	// Of user.c, the step is needed, and what stands before it.
	user, err := os.ReadFile(filepath.Join(tree, "kernel/unwind/user.c"))
	require.NoError(t, err)
	step := strings.Index(string(user), "unwind_user_next_common")
	require.Positive(t, step)
	end := strings.Index(string(user[step:]), "\n}\n")
	require.Positive(t, end)
	require.NoError(t, os.WriteFile(filepath.Join(stubs, "step.c"), user[:step+end+3], 0o666))
	return compile(t, "gcc", "testdata/linux/driver.c", "-DCONFIG_SFRAME_VALIDATION", "-DCONFIG_HAVE_UNWIND_KERNEL_SFRAME",
		fmt.Sprint("-DSFRAME_REG_SP=", sp), fmt.Sprint("-DSFRAME_REG_FP=", fp), "-include", "testdata/linux/kernel.h",
		"-I", stubs, "-I", filepath.Join(tree, "include"), "-I", tree)
}

// seeLinux returns what the reader does with a section, at all FREs that it can find.
func seeLinux(t *testing.T, driver string, o *reader.Object, f *reader.SFrame) outcome {
	addr, ok := segment(o, f)
	if !ok {
		return outcome{consumers.Ignores, "there is no segment"}
	}
	lo, hi := ^uint64(0), uint64(0)
	for _, r := range o.ELF.ExecRanges() {
		lo, hi = min(lo, r.First), max(hi, r.Last+1)
	}
	var pcs bytes.Buffer
	rows := linuxRows(f.Section)
	for _, x := range rows {
		fmt.Fprintf(&pcs, "%x\n", x.pc)
	}
	c := exec.Command(driver, sectionFile(t, f), fmt.Sprintf("%x", addr), fmt.Sprintf("%x", lo), fmt.Sprintf("%x", hi))
	c.Stdin = &pcs
	out, err := c.Output()
	if err != nil {
		return outcome{consumers.Crashes, err.Error()}
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if strings.HasPrefix(lines[0], "header ") || strings.HasPrefix(lines[0], "section ") {
		return outcome{consumers.Rejects, lines[0]}
	}
	if len(rows) == 0 {
		return outcome{consumers.Reads, ""}
	}
	require.Len(t, lines, len(rows))
	misread := ""
	for i, x := range rows {
		pc, rest, _ := strings.Cut(lines[i], " found ")
		require.Equal(t, fmt.Sprintf("%x", x.pc), pc)
		want := x.want
		switch {
		case rest == want:
		case !strings.HasPrefix(rest, "0 step 0 "):
			return outcome{consumers.Rejects, lines[i]}
		case misread == "":
			misread = fmt.Sprintf("%s, expected %s", lines[i], want)
		}
	}
	if misread != "" {
		return outcome{consumers.Misreads, misread}
	}
	return outcome{consumers.Reads, ""}
}

// segment returns the address of the section if a PT_GNU_SFRAME segment has it.
func segment(o *reader.Object, f *reader.SFrame) (uint64, bool) {
	const ptGNUSFrame = 0x6474e554
	for _, p := range o.ELF.Segments {
		if uint32(p.Type) == ptGNUSFrame && (f.Index >= len(o.ELF.Sections) || p.Vaddr == o.ELF.Sections[f.Index].Addr) {
			return p.Vaddr, true
		}
	}
	return 0, false
}

// linuxRow is a PC, and what the driver should write of it.
type linuxRow struct {
	pc   uint64
	want string
}

// linuxRows returns a PC for each FRE that a search by PC finds.
func linuxRows(s *model.Section) []linuxRow {
	var out []linuxRow
	eachLookup(s, func(f model.FDE, pc uint64, r model.FRE) {
		want := "an FRE"
		if f.NumFREs() > 0 {
			want = linuxRule(s, r)
		}
		out = append(out, linuxRow{pc, want})
	})
	return out
}

// eachLookup calls yield with a PC for each FRE that a search by PC finds, and with the
// start of each function without FREs. There is none for an ABI whose registers are not
// known.
func eachLookup(s *model.Section, yield func(f model.FDE, pc uint64, r model.FRE)) {
	if s == nil || !s.ABI().Known() {
		return
	}
	for i := range s.NumFDEs() {
		f := dumped.WithRows(s, i)
		for r := range f.FREs() {
			pc := s.FDE(i).Start() + uint64(r.Start())
			if unreachable(s.FDE(i), r) || i+1 < s.NumFDEs() && s.FDE(i+1).Start() <= pc {
				continue
			}
			yield(f, pc, r)
		}
		if f.NumFREs() == 0 && f.Size() > 0 {
			yield(f, f.Start(), model.FRE{})
		}
	}
}

// unreachable reports whether no PC of the function has the FRE.
func unreachable(f model.FDE, r model.FRE) bool {
	return r.Start() >= f.Size() || f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() > 0 && r.Start() >= uint32(f.RepSize())
}

// linuxRule is what the driver should write for an FRE.
func linuxRule(s *model.Section, r model.FRE) string {
	row, abi := r.Row(), s.ABI()
	if row.Outermost() {
		return "22 step 0 warnings 0" // it goes on by frame pointers: see the profile's notes
	}
	cfa := fmt.Sprint(2, row.CFA.Offset, row.CFA.Reg)
	switch row.CFA.Reg {
	case abi.SP:
		cfa = fmt.Sprint("0 ", row.CFA.Offset, " 0")
	case abi.FP:
		cfa = fmt.Sprint("1 ", row.CFA.Offset, " 0")
	}
	return "0 step 0 warnings 0 cfa " + star(row.CFA) + cfa + " ra " + linuxValue(row.RA) + " fp " + linuxValue(row.FP)
}

func star(v model.Recovery) string {
	if v.Deref {
		return "*"
	}
	return ""
}

func linuxValue(v model.Recovery) string {
	switch v.Kind {
	case model.FromCFA:
		return fmt.Sprintf("*1 %d 0", v.Offset)
	case model.InRegister:
		return fmt.Sprintf("%s2 %d %d", star(v), v.Offset, v.Reg)
	}
	return "0 0 0"
}
