package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
)

const corpus = "../../corpus/files/"

// pack writes an archive of files of the corpus with the name of a package.
func pack(t *testing.T, name string, files map[string]string) {
	f, err := os.Create(name)
	require.NoError(t, err)
	w := tar.NewWriter(f)
	for path, from := range files {
		b, err := os.ReadFile(corpus + from)
		require.NoError(t, err)
		require.NoError(t, w.WriteHeader(&tar.Header{Name: path, Mode: 0o755, Size: int64(len(b)), Format: tar.FormatUSTAR}))
		_, err = w.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
}

// release checks packages and writes their tables.
func release(t *testing.T, lint, dir, out string, packages map[string]map[string]string) {
	var list bytes.Buffer
	for name, files := range packages {
		path := filepath.Join(dir, out+"-"+name)
		require.NoError(t, os.Mkdir(path, 0o777))
		path = filepath.Join(path, name)
		pack(t, path, files)
		fmt.Fprintf(&list, "%s\t%d\n", path, 1)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, out+".tsv"), list.Bytes(), 0o666))
	cmd := exec.Command(lint, "--shard", "0/1", "--list", filepath.Join(dir, out+".tsv"), "--results", filepath.Join(dir, out+"-results"), "--no-config")
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	var stderr bytes.Buffer
	require.Equal(t, 0, run([]string{"--out", filepath.Join(dir, out), filepath.Join(dir, out+"-results")}, nil, &stderr), stderr.String())
}

// releases makes two of a distribution of two packages.
func releases(t *testing.T) string {
	dir, lint := t.TempDir(), testkit.Build(t, "../..", "sframe-lint")
	release(t, lint, dir, "old", map[string]map[string]string{
		"one_1.0-1_amd64.deb": {"usr/bin/one": "binutils-2.47/amd64/program.elf"},
		"two-1.0-1.amd64.rpm": {"usr/bin/two": "binutils-2.44/amd64/one.elf"},
	})
	release(t, lint, dir, "new", map[string]map[string]string{
		"one_1.1-1_amd64.deb": {"usr/bin/one": "binutils-2.47/amd64/program.elf", "usr/bin/more": "binutils-2.44/amd64/one.elf"},
		"two-1.1-1.amd64.rpm": {"usr/bin/two": "binutils-2.47/amd64/program.elf"},
	})
	return dir
}

func TestPackageOf(t *testing.T) {
	for unit, want := range map[string]string{
		"pool/a/hello_2.12-1_amd64.deb": "hello", "lua-libs-5.4.6-1.fc41.x86_64.rpm": "lua-libs", "gcc-libs-14.2.1-1-x86_64.pkg.tar.zst": "gcc-libs",
		"musl-1.2.5-r0.apk": "musl", "usr/bin/x": "x", "-.rpm": "-.rpm",
	} {
		assert.Equal(t, want, packageOf(unit), unit)
	}
	assert.Equal(t, "/usr/bin/x", inPackage("p.deb", "p.deb!/usr/bin/x"))
	assert.Equal(t, "usr/bin/x", inPackage("usr/bin/x", "usr/bin/x"))
}

func TestTables(t *testing.T) {
	dir := releases(t)
	files, err := parquet.ReadFile[fileRecord](filepath.Join(dir, "new", "files.parquet"))
	require.NoError(t, err)
	names := map[string]fileRecord{}
	for _, f := range files {
		if f.Status == "ok" {
			names[f.Package+f.Path] = f
		}
	}
	require.Len(t, names, 3)
	one := names["one/usr/bin/one"]
	assert.EqualValues(t, 3, one.Version)
	assert.Equal(t, "AMD64", one.ABI)
	assert.True(t, one.Linked)
	assert.Positive(t, one.Functions)
	assert.Positive(t, one.EHFrame)
	units, err := parquet.ReadFile[unitRecord](filepath.Join(dir, "new", "units.parquet"))
	require.NoError(t, err)
	require.Len(t, units, 2)
	assert.Len(t, units[0].SHA256, 64)
	findings, err := parquet.ReadFile[findingRecord](filepath.Join(dir, "new", "findings.parquet"))
	require.NoError(t, err)
	assert.NotEmpty(t, findings)

	f, err := os.Open(filepath.Join(dir, "new", "files.parquet"))
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	p, err := parquet.OpenFile(f, info.Size())
	require.NoError(t, err)
	version, _ := p.Lookup("schema")
	assert.Equal(t, schema, version)

	// A list with a unit that has no result.
	list := filepath.Join(dir, "new-results", "manifest")
	b, err := os.ReadFile(list)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(list, append(b, "missing\n"...), 0o666))
	var stderr bytes.Buffer
	assert.Equal(t, 3, run([]string{"--out", filepath.Join(dir, "third"), filepath.Join(dir, "new-results")}, nil, &stderr))
	assert.Equal(t, "sframe-parquet: 1 unit without a result by the setup of the last run\n", stderr.String())
	assert.Equal(t, 3, run([]string{"--out", filepath.Join(dir, "fourth"), dir}, nil, &stderr))
	assert.Equal(t, 2, run([]string{dir}, nil, &stderr))
}

// TestColumns: the page names the columns that the tables have, and no others.
func TestColumns(t *testing.T) {
	page, err := os.ReadFile("../../docs/distribution.md")
	require.NoError(t, err)
	for name, s := range map[string]*parquet.Schema{
		"units": parquet.SchemaOf(unitRecord{}), "files": parquet.SchemaOf(fileRecord{}), "findings": parquet.SchemaOf(findingRecord{}),
		"gaps": parquet.SchemaOf(gapRecord{}), "producers": parquet.SchemaOf(producerRecord{}),
	} {
		var want, got []string
		for _, path := range s.Columns() {
			if c := path[len(path)-1]; !strings.Contains(" unit package path member ", " "+c+" ") {
				want = append(want, c)
			}
		}
		row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|[^|]*\\|(.*)\\|$").FindStringSubmatch(string(page))
		require.NotNil(t, row, name)
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(strings.ReplaceAll(row[1], "(its version)", ""), -1) {
			got = append(got, m[1])
		}
		assert.ElementsMatch(t, want, got, name)
	}
}

// duckDB returns a function that runs SQL in a directory.
func duckDB(t *testing.T) func(dir, sql string) string {
	duckdb := os.Getenv("SFRAME_DUCKDB")
	if duckdb == "" {
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip("there is no npm")
		}
		duckdb = t.TempDir()
		if out, err := exec.Command("./duckdb", duckdb).CombinedOutput(); err != nil {
			t.Skipf("DuckDB could not be downloaded: %s", out)
		}
	}
	return func(dir, sql string) string {
		script, err := filepath.Abs("query.js")
		require.NoError(t, err)
		cmd := exec.Command("node", script, "-")
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(sql), append(os.Environ(), "SFRAME_DUCKDB="+duckdb)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", sql, out)
		return string(out)
	}
}

// TestAnswers: DuckDB runs the SQL of the page and of figures.sql, on the tables of two small releases.
func TestAnswers(t *testing.T) {
	query := duckDB(t)
	dir := releases(t)
	page, err := os.ReadFile("../../docs/distribution.md")
	require.NoError(t, err)
	answers := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, answers, 10)
	for i, want := range []string{
		`^\| one \| \d+ \| \d+`, `^\| one \| /usr/bin/more \| bare`, `^\| SF5010 \| binutils 2.46`, `^\| \w+ \| /usr/bin/\w+ \| \d+`, `^\| one \| SF`,
		"", `^\| one \| \[2, 3\] \| 2 \|`, `^\| SF\d+ \| note`, "", `^\| (one|two) \| [0-9.]+ \| \d+ \|  \|`,
	} {
		out := query(dir, answers[i][1])
		if want != "" {
			assert.Regexp(t, "(?m)"+want, out, answers[i][1])
		} else {
			assert.Regexp(t, `^\| \w+ .*\n\|---.*\n\n$`, out, "no row")
		}
	}
	figures, err := os.ReadFile("figures.sql")
	require.NoError(t, err)
	out := query(filepath.Join(dir, "new"), string(figures))
	assert.Equal(t, 6, strings.Count(out, "\n### "))
	assert.Regexp(t, `(?m)^\| one \| 2 \| \d+`, out)
	checkRealworld(t, query)
}

// checkRealworld counts the findings of files as if scripts/realworld/build had made them.
func checkRealworld(t *testing.T, query func(dir, sql string) string) {
	dir, lint := t.TempDir(), testkit.Build(t, "../..", "sframe-lint")
	list, units := "", ""
	for _, f := range []struct{ from, as, rest string }{
		{"cfi/gas-2.47/cfa-offset-register.o", "amd64/one/O2/gas-2.47.50.2026/lib/a.o", "gas\t2.47.50.2026\tamd64\t-O2\tobject"},
		{"cfi/gas-2.47/undefined-offset.o", "amd64/one/O2/gas-2.47.50.2026/lib/b.o", "gas\t2.47.50.2026\tamd64\t-O2\tobject"},
		{"binutils-2.47/amd64/static.elf", "amd64/one/O2/ld-23.1.4+2.47.1/a", "ld\t23.1.4+2.47.1\tamd64\t-O2\texec"},
	} {
		data, err := os.ReadFile(filepath.Join("../../corpus/files", f.from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, f.as)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.as), data, 0o666))
		list, units = list+f.as+"\t"+f.rest+"\n", units+f.as+"\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.tsv"), []byte(list), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "units"), []byte(units), 0o666))
	cmd := exec.Command(lint, "--no-config", "--profile", "toolchain", "--list", "units", "--results", "results", "--shard", "0/1", "-q")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, 0, run([]string{"--out", dir, filepath.Join(dir, "results")}, nil, os.Stderr))
	sql, err := os.ReadFile("../../scripts/realworld/findings.sql")
	require.NoError(t, err)
	assert.Equal(t, `
### By producer: findings in 100 files

| ABI | kind | producer | files | errors | warnings | notes |
|---|---|---|---|---|---|---|
| amd64 | linked | ld 23.1+2.47 | 1 |  | 100 | 100 |
| amd64 | object | gas 2.47 | 2 | 100 | 50 |  |


### By rule: findings in 100 files

| rule | severity | producer | findings |
|---|---|---|---|
| SF6007 | error | gas 2.47 | 50 |
| SF6011 | error | gas 2.47 | 50 |
| SF6014 | note | ld 23.1+2.47 | 100 |
| SF3105 | warning | gas 2.47 | 50 |
| SF5010 | warning | ld 23.1+2.47 | 100 |


### By name: functions with errors and warnings of the families SF3 and SF6

| rule | package | ABI | functions | of | producers |
|---|---|---|---|---|---|
| SF3105 | one | amd64 | f | 1 | gas 2.47 |
| SF6007 | one | amd64 | f | 1 | gas 2.47 |
| SF6011 | one | amd64 | f | 1 | gas 2.47 |

`, query(dir, string(sql)))
}
