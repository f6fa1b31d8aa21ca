package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

func TestSourcePaths(t *testing.T) {
	root := t.TempDir()
	s := newSources(&Sources{Root: root, Map: []PathMap{
		{From: "/build", To: "/b"}, {From: "/build/app", To: "."}, {From: "/build/app/gen/", To: "out"}, {From: "/home/x", To: root}, {From: "/gone", To: ""},
	}})
	for file, want := range map[string]string{
		"/build/x.c":              "/b/x.c",
		"/build/app/src/x.c":      "src/x.c",
		"/build/app/gen/x.c":      "out/x.c",
		"/build/application/x.c":  "/b/application/x.c",
		"/build":                  "/b",
		"/builder/x.c":            "/builder/x.c",
		"/home/x/lib/../x.c":      "x.c",
		"/gone/x.c":               "x.c",
		"x/../y.c":                "y.c",
		"../x.c":                  "../x.c",
		root + "/src/x.c":         "src/x.c",
		root + "er/x.c":           root + "er/x.c",
		filepath.Dir(root) + "/x": filepath.Dir(root) + "/x",
	} {
		assert.Equal(t, want, s.path(file), file)
	}
}

// A path through a symbolic link is below the root that it leads to.
func TestSourceRootIsALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	require.NoError(t, os.Mkdir(real, 0o755))
	require.NoError(t, os.Symlink(real, link))
	s := newSources(&Sources{Root: link})
	assert.Equal(t, "x.c", s.path(link+"/x.c"))
	resolved, err := filepath.EvalSymlinks(real)
	require.NoError(t, err)
	assert.Equal(t, "x.c", s.path(resolved+"/x.c"))
}

const assembly = `f:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16 // saved
	/* .cfi_undefined */ nop
	# .cfi_restore %rbp
	nop # .cfi_endproc
label: .cfi_remember_state
	nop
	ret
	.cfi_endproc
	.cfi_startproc
	.cfi_def_cfa %rsp, 16
	nop
	.cfi_endproc
	.cfi_startproc
	nop
`

// TestDirective compares the lines that a person should edit.
func TestDirective(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "f.s"), []byte(assembly), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "f.txt"), []byte(assembly), 0o644))
	s := newSources(&Sources{Root: root})
	side := func(row model.Row) *rules.Finding {
		return &rules.Finding{Frame: &rules.Frame{Sides: []rules.Side{{}, {Row: row}}}}
	}
	cfa := side(model.Row{CFA: model.Recovery{Offset: 8}})
	fp := side(model.Row{FP: model.Recovery{Offset: 8}})
	for _, x := range []struct {
		about       string
		f           *rules.Finding
		file        string
		before, at  int
		first, last int
	}{
		{"nothing known of the fault", &rules.Finding{}, "f.s", 3, 6, 4, 5},
		{"the CFA", cfa, "f.s", 3, 6, 4, 4},
		{"a register", fp, "f.s", 3, 6, 5, 5},
		{"directives in comments only", cfa, "f.s", 6, 8, 6, 6},
		{"after a label", cfa, "f.s", 8, 10, 9, 9},
		{"one that changes no register", fp, "f.s", 8, 10, 8, 8},
		{"none between", cfa, "f.s", 10, 11, 10, 10},
		{"of another function", cfa, "f.s", 11, 15, 14, 14},
		{"only the start", cfa, "f.s", 15, 18, 17, 17},
		{"one line for several instructions", cfa, "f.s", 6, 6, 6, 6},
		{"backwards", cfa, "f.s", 8, 6, 6, 6},
		{"no source", cfa, "g.s", 3, 6, 3, 3},
		{"no source, and no line between", cfa, "g.s", 3, 4, 3, 3},
		{"outside of the root", cfa, "../f.s", 3, 6, 3, 3},
		{"an absolute path", cfa, root + "/f.s", 3, 6, 4, 4},
		{"no source by its name", cfa, root + "/f.txt", 3, 6, 3, 3},
		{"beyond the end", cfa, "f.s", 17, 100, 17, 17},
	} {
		l := &lines.Location{Line: lines.Line{File: x.file, Line: x.at}, Before: lines.Line{File: x.file, Line: x.before}}
		first, last := s.directive(x.f, l)
		assert.Equal(t, []int{x.first, x.last}, []int{first, last}, x.about)
	}
	first, last := s.directive(cfa, &lines.Location{Line: lines.Line{File: "f.s", Line: 6}})
	assert.Equal(t, []int{6, 6}, []int{first, last}, "the first instruction")
}

// TestDebugFileByChecksum: without build IDs, the checksum decides.
func TestDebugFileByChecksum(t *testing.T) {
	const dir = "../corpus/files/lines"
	visit := func(path string, use func(*reader.Object)) {
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			use(o)
			return nil
		}))
	}
	visit(filepath.Join(dir, "stripped.elf"), func(o *reader.Object) {
		id := identify(o)
		assert.Len(t, id.buildID, 20)
		assert.Equal(t, "linked.debug", id.link)
		id.buildID = nil
		visit(filepath.Join(dir, "linked.debug"), func(d *reader.Object) { assert.True(t, id.matches(d)) })
		visit(filepath.Join(dir, "lld.elf"), func(d *reader.Object) { assert.False(t, id.matches(d)) })
		id.crc++
		visit(filepath.Join(dir, "linked.debug"), func(d *reader.Object) { assert.False(t, id.matches(d)) })
		id.link = ""
		visit(filepath.Join(dir, "linked.debug"), func(d *reader.Object) { assert.False(t, id.matches(d)) })
	})
}

func TestDebugPackage(t *testing.T) {
	for name, want := range map[string]string{
		"hello_2.12-1_amd64.deb":               "hello-dbgsym_2.12-1_amd64.deb",
		"hello-2.12-1.fc43.x86_64.rpm":         "hello-debuginfo-2.12-1.fc43.x86_64.rpm",
		"hello-2.12-r1.apk":                    "hello-dbg-2.12-r1.apk",
		"hello-x-2.12-1-x86_64.pkg.tar.zst":    "hello-x-debug-2.12-1-x86_64.pkg.tar.zst",
		"hello.deb":                            "",
		"_1_amd64.deb":                         "",
		"1-x86_64.pkg.tar.zst":                 "",
		"hello.tar":                            "",
		"hello-dbgsym_2.12-1_amd64.deb":        "hello-dbgsym-dbgsym_2.12-1_amd64.deb",
		"linux-image-6.1.0-40_6.1-1_arm64.deb": "linux-image-6.1.0-40-dbgsym_6.1-1_arm64.deb",
	} {
		require.Equal(t, want, debugPackage(name), name)
	}
}
