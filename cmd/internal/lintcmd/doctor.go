//go:build !js

package lintcmd

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

var doctorCommand = command{
	name: "doctor", files: true, formats: []string{"text", "json"},
	short: "Show which SFrame data a compiler, assembler and linker write",
	long: `Compiles and links two small files with the compiler of a build. It shows which version
of SFrame data the assembler writes, which flags it requires, and whether the linker
merges the data. It also shows what the C library and the kernel of this machine read.
Then it prints the lines for Make, CMake and Meson.`,
	status: [3]string{"the tools write current SFrame data and merge them", "they do not", "the compiler cannot be run"},
	example: `  sframe-lint doctor
  sframe-lint doctor --cc clang --ldflags -fuse-ld=mold`,
	start: func(a *app, c *cobra.Command) action {
		cc := c.Flags().String("cc", "cc", "compile with `COMMAND`")
		ldflags := c.Flags().String("ldflags", "", "link with these `FLAGS`, separated by spaces")
		return func([]string) error { return a.doctor(*cc, *ldflags) }
	},
}

// diagnosis is what doctor found.
type diagnosis struct {
	Schema   string   `json:"schema"`
	Compiler string   `json:"compiler"`
	Flags    string   `json:"flags,omitempty"`   // for the assembler to write SFrame data
	Version  int      `json:"version,omitempty"` // of the format
	Merged   bool     `json:"merged"`
	Notes    []string `json:"notes"`
}

// asks are the flags by which assemblers write SFrame data: GNU as, and that of clang 23 and later.
var asks = []string{"-Wa,--gsframe", "-Wa,--gsframe -Wa,--allow-experimental-sframe"}

// probes are the files that are compiled.
var probes = map[string]string{"a.c": "int g(int);\nint main(void) { return g(1) + 1; }\n", "b.c": "int h(int x) { return x; }\nint g(int x) { return h(x) + 1; }\n"}

// doctor examines the tools.
func (a *app) doctor(cc, ldflags string) error {
	d := &diagnosis{Schema: "sframe-lint/doctor/1", Compiler: cc, Notes: []string{}}
	words := strings.Fields(cc)
	if len(words) == 0 {
		return fmt.Errorf("--cc: no compiler named")
	}
	dir, err := os.MkdirTemp("", "sframe-lint-doctor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, text := range probes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	run := func(args ...string) (string, error) {
		c := exec.CommandContext(a.ctx, words[0], append(words[1:len(words):len(words)], args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	if out, err := run("-O2", "-c", "a.c", "b.c"); err != nil {
		a.fail("%s: a small program cannot be compiled (--cc): %s", escape.Printable(cc), escape.Printable(firstLine(out, err)))
		return nil
	}
	object := filepath.Join(dir, "b.o")
	if v, _, _ := sframeIn(object); v != 0 {
		d.note("the assembler writes SFrame data without a flag, as Gentoo and Arch configure it (--enable-default-sframe): -Wa,--gsframe=no turns it off, in GNU as 2.46 and later")
	}
	cfi := false
	for _, flags := range asks {
		if _, err := run(append([]string{"-O2", "-c", "a.c", "b.c"}, strings.Fields(flags)...)...); err != nil {
			continue
		}
		if d.Version, _, cfi = sframeIn(object); d.Version != 0 {
			d.Flags = flags
			break
		}
	}
	if d.Version != 0 {
		out, err := run(append([]string{"a.o", "b.o", "-o", "probe"}, strings.Fields(ldflags)...)...)
		version, merged, _ := sframeIn(filepath.Join(dir, "probe"))
		d.Merged = err == nil && version != 0 && merged
		switch {
		case err != nil:
			d.note("the linker fails: %s", firstLine(out, err))
		case version == 0:
			d.note("the linker drops SFrame data of version %d: link with GNU ld 2.46 or later, or with mold 3 or later", d.Version)
		case !merged:
			d.note("the linker does not merge SFrame data: readers see only the first input; link with -fuse-ld=bfd or -fuse-ld=mold")
		}
	}
	d.advise(cfi)
	d.machine(a)
	a.failIfUnmet(d.Version != int(model.SFRAME_VERSION_3) || !d.Merged)
	return a.report(d, forms{"text": d.text})
}

// sframeIn returns the version of the SFrame data of a file, 0 for none, whether it is one section, and whether there is CFI.
func sframeIn(path string) (version int, merged, cfi bool) {
	_ = reader.Scan(path, reader.Options{NoSurvey: true}, func(o *reader.Object) error { // a file that is not there has no data
		cfi = o.ELF != nil && drops.HasCFI(o.ELF)
		for _, s := range o.SFrames {
			if s.Section != nil {
				version, merged = int(s.Section.Version()), o.ELF.Relocatable() || !rewrite.Joined(s.Data)
			}
		}
		return nil
	})
	return version, merged, cfi
}

func (d *diagnosis) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// advise says what is known of the tools that write such data.
func (d *diagnosis) advise(cfi bool) {
	switch {
	case d.Version == 0 && !cfi:
		d.note("the compiler writes no CFI to make SFrame data from: %s", drops.NoCFIHelp)
	case d.Version == 0:
		d.note("the assembler writes no SFrame data: GNU as 2.46 and later does with -Wa,--gsframe, clang 23 and later on AMD64 with -Wa,--gsframe -Wa,--allow-experimental-sframe")
	case d.Version == 1:
		d.note("version 1 is that of GNU as 2.40: obsolete, current readers reject it; use binutils 2.46 or later")
	case d.Version == 2:
		d.note("version 2 is that of GNU as 2.41 to 2.45: GNU ld 2.46 and later does not merge it with version 3; use binutils 2.46 or later")
	}
}

func (d *diagnosis) text(w io.Writer) error {
	var b strings.Builder
	if d.Version != 0 {
		fmt.Fprintf(&b, "%s: %s writes version %d\n", escape.Printable(d.Compiler), d.Flags, d.Version)
	}
	if d.Merged {
		b.WriteString("the linker merges the sections\n")
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "%s\n", escape.Printable(n))
	}
	if d.Flags != "" {
		quoted := "'" + strings.ReplaceAll(d.Flags, " ", "', '") + "'"
		fmt.Fprintf(&b, "\nMake:   CFLAGS += %s\n        ASFLAGS += --gsframe (for .s files, which make gives to the assembler itself)\nCMake:  add_compile_options(%s)\nMeson:  add_project_arguments(%s, language: 'c')\n", d.Flags, d.Flags, quoted)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
