package build

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const linksDir = "../../../../conformance/links/"

// assemblers write the objects of a target, with the option for SFrame data last.
var assemblers = map[string][]string{
	"v1-amd64": {"bookworm-x86_64-as", "--gsframe"}, "v2-amd64": {"trixie-x86_64-as", "--gsframe"},
	"v2-aarch64": {"trixie-aarch64-as", "-EL", "--gsframe"}, "v2-aarch64-be": {"trixie-aarch64-as", "-EB", "--gsframe"},
	"v2e1-amd64": {"sid-llvm-mc", "-triple=x86_64-linux-gnu", "-filetype=obj", "--gsframe"},
	"v3-amd64":   {"sid-x86_64-as", "--gsframe"}, "v3-aarch64": {"sid-aarch64-as", "-EL", "--gsframe"},
	"v3-aarch64-be": {"sid-aarch64-as", "-EB", "--gsframe"}, "v3-s390x": {"sid-s390x-as", "--gsframe"},
}

// machine returns the directory with what the sources include.
func (x *target) machine() string { return strings.ReplaceAll(x.arch, "x86_64", "amd64") }

// sources returns the names of the sources that the target has.
func (x *target) sources(src *txtar.Archive) (names []string) {
	for _, f := range src.Files {
		name, ok := strings.CutSuffix(f.Name, ".s")
		switch {
		case !ok:
		case x.name == "v2e1-amd64" && (name == "far" || name == "empty"): // llvm-mc has no .cfi_sections .sframe
		case (name == "signal" || name == "same") && x.version() != "v3":
		default:
			names = append(names, name)
		}
	}
	return names
}

// TestLinkObjects assembles the objects of the cases for linkers on request.
func TestLinkObjects(t *testing.T) {
	if !*update {
		t.Skip("assembles all objects: run with -update and SFRAME_TOOLS")
	}
	bin, dir := toolchain.Bin(t), t.TempDir()
	src, err := txtar.ParseFile(linksDir + "src.txtar")
	require.NoError(t, err)
	for _, f := range src.Files {
		path := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	for _, x := range targets {
		all := map[string][]byte{}
		for _, name := range x.sources(src) {
			assembler := assemblers[x.name]
			args := append(slices.Clone(assembler[1:]), "-I", x.machine(), "-o", "out.o", name+".s")
			if name == "none" {
				args = slices.DeleteFunc(args, func(a string) bool { return a == "--gsframe" })
			}
			if x.version() == "v3" {
				args = append([]string{"--defsym", "V3=1"}, args...)
			}
			cmd := exec.Command(filepath.Join(bin, assembler[0]), args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s %s", cmd, out)
			all[name+".o"], err = os.ReadFile(filepath.Join(dir, "out.o"))
			require.NoError(t, err)
		}
		all["unknown-version.o"] = edit(t, all["a.o"], func(_ *reader.Object, s []byte) { s[2] = 4 })
		if x.version() == "v3" {
			all["shared.o"] = edit(t, all["same.o"], shareRows)
		} else {
			all["frame-pointer.o"] = edit(t, all["a.o"], func(_ *reader.Object, s []byte) { s[3] |= byte(model.SFRAME_F_FRAME_POINTER) })
		}
		require.NoError(t, os.WriteFile(linksDir+x.name+".txt", shrink.FormatFiles(all), 0o644))
	}
}

// shareRows makes both functions use the attribute and the FREs of the first one. Those of
// the second one are the last of the section, which then ends earlier.
func shareRows(o *reader.Object, s []byte) {
	sec, order := o.SFrames[0].Section, o.ELF.Order
	at := func(i int) int64 { return sec.FDE(i).FieldSpan(model.FDEStartFREOff).Off }
	first, second := sec.FDE(0).StartFREOff(), sec.FDE(1).StartFREOff()
	order.PutUint32(s[at(1):], first)
	order.PutUint32(s[12:], uint32(sec.FDE(0).NumFREs())) // sfh_num_fres
	order.PutUint32(s[16:], second-first)                 // sfh_fre_len
}

// edit returns an object with a changed section.
func edit(t *testing.T, object []byte, change func(o *reader.Object, section []byte)) []byte {
	b := bytes.Clone(object)
	require.NoError(t, reader.ScanReader("object", bytes.NewReader(object), int64(len(object)), reader.Options{}, func(o *reader.Object) error {
		f := o.SFrames[0]
		change(o, b[f.Offset:f.Offset+int64(len(f.Data))])
		return nil
	}))
	return b
}
