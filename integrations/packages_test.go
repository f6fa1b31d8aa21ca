package integrations

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// packager makes packages of two programs, a good and a bad one, and checks them with the tools of distributions.
type packager struct{ dir, lint string }

func newPackager(t *testing.T, tools ...string) *packager {
	for _, name := range tools {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name)
		}
	}
	p := &packager{dir: t.TempDir(), lint: filepath.Dir(program(t))}
	for name, file := range map[string]string{"usr/bin/good": goodFile, "usr/bin/bad one": lldOutput, "usr/share/demo/text": "LICENSE"} {
		data, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		path := filepath.Join(p.dir, "root", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o755))
	}
	return p
}

// run returns what a command writes to standard output, and its status. The program is in PATH if lint is not "".
func (p *packager) run(t *testing.T, lint string, args ...string) (string, int) {
	c := exec.Command(args[0], args[1:]...)
	path := os.Getenv("PATH")
	if lint != "" {
		path = lint + ":" + path
	}
	c.Env = append(os.Environ(), "PATH="+path, "PYTHONPATH="+p.dir, "PYTHONDONTWRITEBYTECODE=1", "HOME="+p.dir)
	out, err := c.Output()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)
	return string(out), c.ProcessState.ExitCode()
}

// rpm builds a package of RPM.
func (p *packager) rpm(t *testing.T) string {
	spec := filepath.Join(p.dir, "demo.spec")
	require.NoError(t, os.WriteFile(spec, []byte(`Name: demo
Version: 1.0
Release: 1
Summary: Demo package
License: MIT
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%description
Demo.
%install
cp -r `+p.dir+`/root/. %{buildroot}
%files
/usr/*
`), 0o666))
	p.run(t, "", "rpmbuild", "-bb", "--quiet", "--nodeps", "--define", "_topdir "+p.dir+"/rpm", "--define", "__find_requires %{nil}", spec)
	files, err := filepath.Glob(p.dir + "/rpm/RPMS/*/*.rpm")
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// documented requires that what docs/start-ci.md shows after a command are lines of the output. "..." is the rest of a line.
func documented(t *testing.T, command, out string) {
	page, err := os.ReadFile("../docs/start-ci.md")
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(page), "```console\n$ "+command+" ")
	text, _, _ = strings.Cut(text, "\n```\n")
	lines := strings.Split(text, "\n")[1:]
	require.NotEmpty(t, lines, command)
	for _, line := range lines {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, ".*")
		assert.Regexp(t, "(?m)^"+pattern+"$", strings.ReplaceAll(out, "bad one", "demo"))
	}
}

// without hides an installed sframe-lint.
func without(t *testing.T) {
	if _, err := exec.LookPath("sframe-lint"); err == nil {
		t.Skip("sframe-lint is installed")
	}
}

func TestLintian(t *testing.T) {
	p := newPackager(t, "lintian", "dpkg-deb")
	control := filepath.Join(p.dir, "root/DEBIAN/control")
	require.NoError(t, os.Mkdir(filepath.Dir(control), 0o755))
	require.NoError(t, os.WriteFile(control, []byte("Package: demo\nVersion: 1.0\nArchitecture: amd64\nMaintainer: A B <a@example.org>\nDescription: demo\n demo\n"), 0o644))
	deb := filepath.Join(p.dir, "demo.deb")
	p.run(t, "", "dpkg-deb", "--build", "--root-owner-group", filepath.Join(p.dir, "root"), deb)
	adapter, err := filepath.Abs("lintian")
	require.NoError(t, err)
	// All checks are run: the tags are known to the profile of Debian.
	check := []string{"lintian", "--include-dir", adapter, "--no-cfg", "--allow-root", "--tags", "sframe-error,sframe-warning,sframe-unchecked", deb}
	out, status := p.run(t, p.lint, check...)
	assert.Equal(t, 2, status, out)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 2, out)
	assert.Contains(t, out, "E: demo: sframe-error SF1019 the linker concatenated")
	assert.Contains(t, out, "E: demo: sframe-error SF5009 none of the 4 program headers")
	for _, line := range lines {
		assert.True(t, strings.HasSuffix(line, " [usr/bin/bad one]"), line)
	}
	documented(t, "lintian", out)
	// An override names a rule.
	overrides := filepath.Join(p.dir, "root/usr/share/lintian/overrides/demo")
	require.NoError(t, os.MkdirAll(filepath.Dir(overrides), 0o755))
	require.NoError(t, os.WriteFile(overrides, []byte("demo: sframe-error SF1019*\n"), 0o644))
	p.run(t, "", "dpkg-deb", "--build", "--root-owner-group", filepath.Join(p.dir, "root"), deb)
	out, _ = p.run(t, p.lint, check...)
	assert.Contains(t, out, "E: demo: sframe-error SF5009 ")
	assert.NotContains(t, out, "sframe-error SF1019")
	without(t)
	out, _ = p.run(t, "", check...)
	assert.Contains(t, out, "E: demo: sframe-unchecked sframe-lint cannot be run or was killed\n")
}

func TestRpmlint(t *testing.T) {
	p := newPackager(t, "rpmlint", "rpmbuild", "rpm2cpio", "cpio", "/usr/bin/python3")
	const python = "/usr/bin/python3" // for which Debian installs modules
	from, status := p.run(t, "", python, "-c", "import os, rpmlint; print(os.path.dirname(rpmlint.__file__), end='')")
	if status != 0 {
		t.Skip("rpmlint is of another Python")
	}
	require.NoError(t, os.CopyFS(filepath.Join(p.dir, "rpmlint"), os.DirFS(from)))
	check, err := os.ReadFile("rpmlint/SframeCheck.py")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "rpmlint/checks/SframeCheck.py"), check, 0o666))
	config := filepath.Join(p.dir, "sframe.toml")
	require.NoError(t, os.WriteFile(config, []byte("Checks = [\"SframeCheck\"]\n"), 0o666))
	lint := []string{python, "-c", "from rpmlint.cli import lint; lint()", "-c", config, "--checks", "SframeCheck", p.rpm(t)}
	out, status := p.run(t, p.lint, lint...)
	assert.Equal(t, 64, status, out)
	assert.Contains(t, out, "demo.x86_64: E: sframe-error /usr/bin/bad one SF1019 the linker concatenated")
	assert.Contains(t, out, "demo.x86_64: E: sframe-error /usr/bin/bad one SF5009 ")
	assert.Contains(t, out, "; 2 errors, 0 warnings,")
	documented(t, "rpmlint", out)
	without(t)
	out, _ = p.run(t, "", lint...)
	assert.Contains(t, out, "demo.x86_64: E: sframe-unchecked ")
}

// TestRpminspect reads the report as the program's own readers do.
func TestRpminspect(t *testing.T) {
	p := newPackager(t, "python3", "rpmbuild", "rpm2cpio", "cpio")
	var report map[string][]struct {
		Result, Message, Details, Remedy string
		Waiver                           string `json:"waiver authorization"`
	}
	file := p.rpm(t)
	out, status := p.run(t, p.lint, "./rpminspect", file)
	assert.Equal(t, 1, status, out)
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Len(t, report["sframe"], 2)
	for i, rule := range []string{"SF1019", "SF5009"} {
		x := report["sframe"][i]
		assert.Equal(t, []string{"BAD", "Anyone"}, []string{x.Result, x.Waiver})
		assert.Equal(t, "sframe-error: "+rule+" in /usr/bin/bad one, package "+filepath.Base(file), x.Message)
		assert.NotEmpty(t, x.Details)
	}
	require.NoError(t, os.WriteFile(file, []byte("damaged"), 0o666))
	out, status = p.run(t, p.lint, "./rpminspect", file)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "sframe-unchecked: not a package")
}

func TestAnnocheck(t *testing.T) {
	p := newPackager(t, "python3")
	root := filepath.Join(p.dir, "root")
	out, status := p.run(t, p.lint, "./annocheck", root)
	assert.Equal(t, 1, status)
	out = strings.ReplaceAll(out, root, "")
	documented(t, "integrations/annocheck", out)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4, out)
	assert.Contains(t, lines[0], "SFrame: /usr/bin/bad one: FAIL: sframe-error test because SF1019: ")
	assert.Contains(t, lines[1], "SFrame: /usr/bin/bad one: FAIL: sframe-error test because SF5009: ")
	assert.Equal(t, []string{"SFrame: /usr/bin/bad one: Overall: FAIL.", "SFrame: /usr/bin/good: Overall: PASS."}, lines[2:])
	out, status = p.run(t, p.lint, "./annocheck", filepath.Join(root, "usr/bin/good"))
	assert.Zero(t, status)
	assert.Equal(t, 1, strings.Count(out, "\n"), out)
	out, status = p.run(t, p.lint, "./annocheck", filepath.Join(root, "none"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "SFrame: FAIL: sframe-unchecked test because "+filepath.Join(root, "none")+": no such file")
	// Source lines, and a name that is a terminal's command.
	data, err := os.ReadFile("../corpus/files/lines/assembly.o")
	require.NoError(t, err)
	named := filepath.Join(p.dir, "a\x1b[31m.o")
	require.NoError(t, os.WriteFile(named, data, 0o666))
	out, _ = p.run(t, p.lint, "./annocheck", named)
	assert.Contains(t, out, "frame.s:7: ")
	assert.NotContains(t, out, "\x1b")
}
