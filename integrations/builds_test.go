package integrations

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// buildSystem is a build system for which docs/start-ci.md has a recipe.
type buildSystem struct {
	file   string
	begins string // how the recipe begins in the page
	before string // of the recipe in the file, where @DIR@ is the directory of integrations
	// sources replaces the ones of the recipe.
	sources, build string
}

var buildSystems = map[string]buildSystem{
	"make": {"Makefile", "Make: ", "OBJECTS = main.o shapes.o parse.o frame.o\n", "", `make -s CC=bin/compile AS="bin/compile -c"`},
	"cmake": {
		"CMakeLists.txt", "CMake, ", "cmake_minimum_required(VERSION 3.20)\nproject(app C ASM)\nlist(APPEND CMAKE_MODULE_PATH @DIR@)\n",
		"main.c shapes.c parse.c frame.s", "cmake -S . -B build -DCMAKE_C_COMPILER=$PWD/bin/compile -DCMAKE_ASM_COMPILER=$PWD/bin/compile >/dev/null && cmake --build build",
	},
	"meson": {
		"meson.build", "Meson:", "project('app', 'c')\n", "'main.c', 'shapes.c', 'parse.c', 'frame.s'",
		"CC=$PWD/bin/compile meson setup build >/dev/null && meson compile -C build >/dev/null && meson test -C build --no-rebuild --print-errorlogs",
	},
}

// recipe returns the lines of code after a line of docs/start-ci.md.
func recipe(t *testing.T, begins string) string {
	page, err := os.ReadFile("../docs/start-ci.md")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^` + begins + `.*\n\n((?: {4}.*\n)+)`).FindStringSubmatch(string(page))
	require.NotNil(t, m, begins)
	return regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(m[1], "")
}

// TestInteropBuilds builds projects with the recipes of the page: a fault of a project makes the build fail, and says
// what to do.
func TestInteropBuilds(t *testing.T) {
	module, err := os.Getwd()
	require.NoError(t, err)
	lint := program(t)
	for name, system := range buildSystems {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip("there is no " + name)
			}
			text := strings.ReplaceAll(system.before, "@DIR@", module) + recipe(t, system.begins)
			text = regexp.MustCompile(`'?main\.c'?`).ReplaceAllLiteralString(text, system.sources)
			for _, p := range faults {
				t.Run(p.name, func(t *testing.T) {
					dir := t.TempDir()
					p.sources(t, dir)
					require.NoError(t, os.WriteFile(filepath.Join(dir, system.file), []byte(text), 0o666))
					out, status := shell(t, dir, system.build, lint)
					p.shows(t, out, status)
				})
			}
		})
	}
}

// freshProjects ask for SFrame data in their own files, so that the probes of build systems have none.
var freshProjects = map[string]struct{ file, text, build, says string }{
	"make": {"Makefile", `CFLAGS = -O2 -B@BIN@ -Wa,--gsframe
AS = @BIN@/as
ASFLAGS = --gsframe
build/app: main.o shapes.o parse.o frame.o
	mkdir -p build
	$(CC) -B@BIN@ -o $@ $^
`, "make -s", ""},
	"cmake": {"CMakeLists.txt", `cmake_minimum_required(VERSION 3.20)
project(app C ASM)
include(CheckTypeSize)
check_type_size(long LONG)
add_compile_options(-O2 -B@BIN@ -Wa,--gsframe)
add_link_options(-B@BIN@)
add_executable(app main.c shapes.c parse.c frame.s)
`, "cmake -S . -B build >/dev/null && cmake --build build >/dev/null", "probes of build systems"},
	"meson": {"meson.build", `project('app', 'c')
add_project_arguments('-O2', '-B@BIN@', '-Wa,--gsframe', language: 'c')
executable('app', 'main.c', 'shapes.c', 'parse.c', 'frame.s', link_args: '-B@BIN@')
`, "meson setup build >/dev/null && meson compile -C build >/dev/null", "1 probe of build systems"},
}

// TestInteropFreshBuilds checks the directory of a build by the gate and by the job for GitLab.
func TestInteropFreshBuilds(t *testing.T) {
	gate, err := filepath.Abs("gate")
	require.NoError(t, err)
	lint := program(t)
	for name, p := range freshProjects {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip("there is no " + name)
			}
			dir := t.TempDir()
			faults[0].sources(t, dir)
			text := strings.ReplaceAll(p.text, "@BIN@", filepath.Join(dir, "bin"))
			require.NoError(t, os.WriteFile(filepath.Join(dir, p.file), []byte(text), 0o666))
			out, status := shell(t, dir, p.build, lint)
			require.Zero(t, status, out)
			out, status = shell(t, dir, gate+" build", lint)
			assert.Zero(t, status, out)
			assert.Contains(t, out, p.says)
			out, status, _, _ = gitlabJob(t, dir, lint, "build", "")
			assert.Zero(t, status, out)
			assert.Contains(t, out, p.says)
		})
	}
}

// TestInteropObjectLibrary checks the objects of a library that is never linked by itself.
func TestInteropObjectLibrary(t *testing.T) {
	module, err := os.Getwd()
	require.NoError(t, err)
	lint, system := program(t), buildSystems["cmake"]
	if _, err := exec.LookPath("cmake"); err != nil {
		t.Skip("there is no cmake")
	}
	text := strings.ReplaceAll(system.before, "@DIR@", module) + "include(SFrameLint)\nadd_library(parts OBJECT shapes.c parse.c frame.s)\nsframe_lint(parts)\n"
	for _, p := range faults {
		if p.name != "right" && p.asm == "" {
			continue
		}
		dir := t.TempDir()
		p.sources(t, dir)
		require.NoError(t, os.WriteFile(filepath.Join(dir, system.file), []byte(text), 0o666))
		out, status := shell(t, dir, system.build, lint)
		p.shows(t, out, status)
	}
}
