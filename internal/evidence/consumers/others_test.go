package consumers_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/reader"
)

// realObjects returns the objects of the corpus and of the cases for linkers that assemblers, linkers or rewriters wrote and that have
// SFrame data, for some machines.
func realObjects(t *testing.T, machines ...string) (all []subject) {
	t.Helper()
	add := func(s subject) {
		o := s.read(t)
		if len(o.SFrames) > 0 && o.ELF != nil && o.ELF.Relocatable() && !o.ELF.BigEndian() && slices.Contains(machines, archOf(o)) && o.SFrames[0].Name == ".sframe" &&
			!slices.ContainsFunc(o.Faults, func(f reader.Fault) bool { return f.Code == reader.SectionContradicted }) {
			all = append(all, s)
		}
	}
	for _, e := range corpus(t) {
		if (e.Kind == "object" || e.Kind == "archive") && !strings.HasPrefix(e.File, "files/hand/") && !strings.HasPrefix(e.File, "regressions/") {
			for _, s := range e.subjects(t, true) {
				add(s)
			}
		}
	}
	links, err := filepath.Glob("../../../conformance/links/*.txt")
	require.NoError(t, err)
	for _, path := range links {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		objects, err := shrink.ParseFiles(text)
		require.NoError(t, err)
		for _, name := range slices.Sorted(maps.Keys(objects)) {
			add(subject{strings.TrimSuffix(path, ".txt") + "/" + name, objects[name], false})
		}
	}
	return all
}

// compareOthers links one object at a time, and compares what becomes of its section with a profile. It returns the
// number of comparisons.
func compareOthers(t *testing.T, name string, all []subject, link func(t *testing.T, dir string) result) int {
	dir := t.TempDir()
	y := &tally{profile: profile(t, name)}
	for _, s := range all {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "in.o"), s.file, 0o600))
		os.Remove(filepath.Join(dir, "out"))
		r := link(t, dir)
		out, _ := os.ReadFile(filepath.Join(dir, "out")) // there may be none
		o := s.read(t)
		if r.exit != 0 && !r.killed {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "in.o"), withoutSFrame(s.file, o), 0o600))
			if link(t, dir).exit != 0 { // SFrame data are not the reason
				continue
			}
		}
		y.compare(s.name, o, o.SFrames[0], seeCopied(r, o, out))
	}
	return y.report(t)
}

// withoutSFrame returns an object without its sections .sframe and their relocations: the headers become empty ones.
func withoutSFrame(file []byte, o *reader.Object) []byte {
	file = bytes.Clone(file)
	for _, x := range o.ELF.Sections {
		if strings.TrimPrefix(x.Name, ".rela") == ".sframe" {
			clear(file[x.Header.Off:x.Header.End()])
		}
	}
	return file
}

// TestInteropTCC holds the profile of tcc against it.
func TestInteropTCC(t *testing.T) {
	tcc := toolchain.Tool(t, "bookworm-tcc")
	verified(t, "tcc", compareOthers(t, "tcc", realObjects(t, "x86_64"), func(t *testing.T, dir string) result {
		return run(t, tcc, "-nostdlib", "-shared", "-o", filepath.Join(dir, "out"), filepath.Join(dir, "in.o"))
	}))
}

// TestInteropZig holds the profile of Zig's own linker against it. SFRAME_ZIG is the compiler.
func TestInteropZig(t *testing.T) {
	zig := os.Getenv("SFRAME_ZIG")
	if zig == "" {
		t.Skip("SFRAME_ZIG names no compiler")
	}
	n := 0
	for machine, target := range map[string]string{"x86_64": "x86_64-linux-none", "aarch64": "aarch64-linux-none"} {
		n += compareOthers(t, "zig", realObjects(t, machine), func(t *testing.T, dir string) result {
			return run(t, zig, "build-lib", "-dynamic", "-fno-lld", "-fno-compiler-rt", "-fallow-shlib-undefined", "-target", target,
				"--cache-dir", filepath.Join(dir, "cache"), "--global-cache-dir", filepath.Join(dir, "global"),
				"-femit-bin="+filepath.Join(dir, "out"), filepath.Join(dir, "in.o"))
		})
	}
	verified(t, "zig", n)
}

// TestInteropGoObjects holds the profile of Go's linker against it: the archive of a program's package gets an object.
// With SFRAME_ALL it links all objects, otherwise every eighth.
func TestInteropGoObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("links some hundred programs")
	}
	toolchain.Bin(t)
	n := 0
	for machine, goarch := range map[string]string{"x86_64": "amd64", "aarch64": "arm64"} {
		t.Run(goarch, func(t *testing.T) {
			work := t.TempDir()
			tool := func(args ...string) result {
				cmd := exec.CommandContext(t.Context(), "go", args...)
				cmd.Dir, cmd.Env = work, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+goarch, "GOFLAGS=-p=1", "GOWORK=off")
				out, err := cmd.CombinedOutput()
				r := result{out: string(out), err: string(out)}
				if err != nil {
					r.exit = 1
				}
				return r
			}
			must := func(args ...string) string {
				r := tool(args...)
				require.Zero(t, r.exit, "%s", r.err)
				return r.out
			}
			require.NoError(t, os.WriteFile(filepath.Join(work, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
			packages := must("list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "runtime")
			require.NoError(t, os.WriteFile(filepath.Join(work, "importcfg"), []byte(packages), 0o600))
			must("tool", "compile", "-p", "main", "-importcfg", "importcfg", "-o", "main.a", "main.go")
			archive, err := os.ReadFile(filepath.Join(work, "main.a"))
			require.NoError(t, err)
			link := func(t *testing.T, dir string) result {
				require.NoError(t, os.WriteFile(filepath.Join(work, "with.a"), archive, 0o600))
				must("tool", "pack", "r", "with.a", filepath.Join(dir, "in.o"))
				return tool("tool", "link", "-importcfg", "importcfg", "-linkmode=internal", "-o", filepath.Join(dir, "out"), "with.a")
			}
			all := realObjects(t, machine)
			if os.Getenv("SFRAME_ALL") == "" { // a link takes half a second
				i := 0
				all = slices.DeleteFunc(all, func(subject) bool { i++; return i%8 != 1 })
			}
			n += compareOthers(t, "go", all, link)

			dir := t.TempDir() // the linker reads the object: it fails at half of one
			require.NoError(t, os.WriteFile(filepath.Join(dir, "in.o"), all[0].file[:len(all[0].file)/2], 0o600))
			require.NotZero(t, link(t, dir).exit)
		})
	}
	if os.Getenv("SFRAME_ALL") != "" {
		verified(t, "go", n)
	}
}
