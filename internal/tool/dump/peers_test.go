package dump_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestInteropPeers runs the tests of gas and ld that compare what objdump prints of a
// section: the dump of the style "objdump" must match wherever the real objdump does.
func TestInteropPeers(t *testing.T) {
	bin := toolchain.Bin(t)
	files := toolchain.Tests(t, "gas/testsuite/gas/cfi-sframe/*.d", "ld/testsuite/*/*.d")
	run, met := 0, 0
	for _, path := range files {
		p := readPeer(t, path)
		if p == nil {
			continue
		}
		for _, arch := range p.archs() {
			run++
			if p.check(t, bin, arch) {
				met++
			} else {
				t.Logf("%s: objdump for %s does not meet it", filepath.Base(path), arch)
			}
		}
	}
	t.Logf("%d tests by architecture, of which objdump meets %d", run, met)
	require.NotZero(t, met)
}

// peer is a test of binutils: how to make a file, and lines that its dump matches.
type peer struct {
	path    string
	sources []string
	as, ld  string
	links   bool
	want    []string
}

var peerOption = regexp.MustCompile(`^#([a-z_]+):\s*(.*)$`)

// readPeer reads a file of options and expected lines. It returns nil for a test of
// something else than a dump of a section.
func readPeer(t *testing.T, path string) *peer {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	p := &peer{path: path}
	dumps := false
	lines := strings.Split(string(data), "\n")
	for len(lines) > 0 {
		m := peerOption.FindStringSubmatch(lines[0])
		if m == nil {
			break
		}
		lines = lines[1:]
		switch m[1] {
		case "as":
			p.as = m[2]
		case "ld":
			p.ld, p.links = m[2], true
		case "source":
			p.sources = append(p.sources, strings.Fields(m[2])[0])
		case "objdump":
			dumps = strings.HasPrefix(m[2], "--sframe")
		case "error", "objcopy", "xfail":
			return nil
		}
	}
	if !dumps {
		return nil
	}
	if p.sources == nil {
		p.sources = []string{strings.TrimSuffix(filepath.Base(path), ".d") + ".s"}
	}
	p.want = lines
	return p
}

// archs returns the architectures for which a test is meant, by its name and directory.
func (p *peer) archs() []string {
	all := model.Arches()
	for _, arch := range all {
		if strings.Contains(p.path, arch) {
			return []string{arch}
		}
	}
	switch filepath.Base(filepath.Dir(p.path)) {
	case "ld-x86-64":
		return all[:1]
	case "ld-aarch64":
		return all[1:2]
	case "ld-s390":
		return all[2:]
	}
	return all
}

// check makes the file and compares its dumps. It reports whether that of the real
// objdump is as expected: some tests are for other targets or other defaults.
func (p *peer) check(t *testing.T, bin, arch string) bool {
	dir := t.TempDir()
	tool := func(name string, args ...string) ([]byte, error) {
		c := exec.Command(filepath.Join(bin, "sid-"+arch+"-"+name), args...)
		c.Dir = filepath.Dir(p.path)
		return c.Output()
	}
	var objects []string
	for _, source := range p.sources {
		object := filepath.Join(dir, source+".o")
		if _, err := tool("as", append(strings.Fields(p.as), "-o", object, source)...); err != nil {
			return false
		}
		objects = append(objects, object)
	}
	file := objects[0]
	if p.links {
		file = filepath.Join(dir, "file")
		if _, err := tool("ld", append(append(strings.Fields(p.ld), "-o", file), objects...)...); err != nil {
			return false
		}
	}
	real, err := tool("objdump", "--sframe=.sframe", file)
	if err != nil || p.differs(string(real)) != "" {
		return false
	}
	var ours bytes.Buffer
	require.NoError(t, reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if err := dump.Objdump(&ours, o, s); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Empty(t, p.differs(file+":     file format x\n"+ours.String()), "%s for %s\nobjdump:\n%s\nwe:\n%s", p.path, arch, real, ours.String())
	return true
}

// differs returns where a dump does not match the expected lines, as DejaGnu compares
// them: empty lines do not count, "#..." stands for any lines, and "#?" precedes a line
// that may be missing.
func (p *peer) differs(dump string) string {
	var got []string
	for line := range strings.Lines(dump) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "" {
			got = append(got, line)
		}
	}
	any := false
	for _, want := range p.want {
		maybe := false
		switch {
		case strings.TrimSpace(want) == "":
			continue
		case want == "#...":
			any = true
			continue
		case want == "#pass":
			return ""
		case strings.HasPrefix(want, "#?"):
			want, maybe = want[2:], true
		case strings.HasPrefix(want, "#"):
			continue
		}
		re, err := regexp.Compile("^" + want + "$")
		if err != nil {
			return err.Error()
		}
		at := 0
		for any && at < len(got) && !re.MatchString(got[at]) {
			at++
		}
		switch {
		case at < len(got) && re.MatchString(got[at]):
			got, any = got[at+1:], false
		case !maybe:
			return "no line for " + want
		}
	}
	if len(got) > 0 && !any {
		return "a line too many: " + got[0]
	}
	return ""
}
