package fuzzcmd

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/campaign"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/reader"
)

// testSuite is how the tests of a project's test suite are written.
type testSuite struct {
	shared map[string][]byte // files beside the tests
	suffix string
	test   func(t *suiteTest) string
}

// suiteTest is a test of a file: a program must print the functions, or only end by itself if there
// are none.
type suiteTest struct {
	name, file string
	funcs      []suiteFunc
}

type suiteFunc struct {
	start uint64
	size  uint32
}

// dejaGnuExp and litConfig are the files that DejaGnu and lit read first.
var (
	//go:embed suites/sframe-fuzz.exp
	dejaGnuExp []byte
	//go:embed suites/lit.cfg.py
	litConfig []byte
)

var testSuites = map[string]testSuite{
	forDejaGnu: {map[string][]byte{"sframe-fuzz.exp": dejaGnuExp}, ".d", dejaGnuTest},
	forLit:     {map[string][]byte{"lit.cfg.py": litConfig}, ".test", litTest},
}

// testName says what a test is about.
func testName(e *entry) string {
	name := fmt.Sprintf("SFrame version %d, %s: ", e.Version, e.ABI)
	if len(e.Expect) == 0 {
		return name + "valid"
	}
	x := e.Expect[0]
	return name + fmt.Sprintf("%s, which sframe-lint reports as %s", x.Break, x.Rule)
}

// dejaGnuTest writes a test in the format of run_dump_test: the "assembler" binary and objcopy copy the file.
func dejaGnuTest(t *suiteTest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#name: %s\n#source: %s\n#as: binary\n#PROG: objcopy\n#objdump: --sframe\n", t.name, t.file)
	if len(t.funcs) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "#...\n +Num FDEs: %d\n", len(t.funcs))
	for i, f := range t.funcs {
		fmt.Fprintf(&b, "#...\n +func idx \\[%d\\]: pc = 0x%x, size = %d bytes.*\n", i, f.start, f.size)
	}
	b.WriteString("#pass\n")
	return b.String()
}

func litTest(t *suiteTest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", t.name)
	command := "%readobj --sframe %S/" + t.file
	if path.Ext(t.file) == ".o" {
		command = "%lld -e 0 -o %t.out %S/" + t.file
	}
	if len(t.funcs) == 0 {
		// The status of a program that a signal ended is above 128.
		fmt.Fprintf(&b, "# RUN: sh -c '%s > %%t 2>&1; test $? -lt 128'\n", command)
		return b.String()
	}
	fmt.Fprintf(&b, "# RUN: %s | %%filecheck %%s\n", command)
	fmt.Fprintf(&b, "# CHECK: Num FDEs: %d\n", len(t.funcs))
	for i, f := range t.funcs {
		fmt.Fprintf(&b, "# CHECK: FuncDescEntry [%d] {\n# CHECK: PC: {{0x0*%X$}}\n# CHECK-NEXT: Size: {{(0x%X|%d)$}}\n", i, f.start, f.size, f.size)
	}
	return b.String()
}

// tests makes the i-th section in an executable, and its test.
func (f *exportFlags) tests(suite *testSuite, i int) made {
	m := f.seedFile(i)
	if m.err != nil {
		return m
	}
	s, err := m.Recipe.Subject()
	if err != nil {
		return made{err: err}
	}
	m.complete()
	t := &suiteTest{name: testName(m.entry), file: m.File}
	if p := s.Plan(); len(m.Expect) == 0 {
		for k := range p.Funcs {
			t.funcs = append(t.funcs, suiteFunc{p.Funcs[k].Start, p.Funcs[k].Size})
		}
	}
	m.beside = map[string][]byte{fileName(i) + suite.suffix: []byte(suite.test(t))}
	return m
}

// findTest makes the test of a find: a program must print the functions of a valid file, and end by
// itself on any other.
func (f *exportFlags) findTest(suite *testSuite, find string) made {
	data, err := regular.Read(find, 0)
	if err != nil {
		return made{err: program.Failed(err)}
	}
	file, valid := campaign.ForProgram(data)
	name := findName(find)
	t := &suiteTest{name: "SFrame: " + name, file: name + ".elf"}
	if path.Ext(find) == ".o" {
		t.file = name + ".o"
	} else if valid {
		err = reader.ScanReader(find, bytes.NewReader(file), int64(len(file)), reader.Options{}, func(o *reader.Object) error {
			for fde := range o.SFrames[0].Section.FDEs() {
				t.funcs = append(t.funcs, suiteFunc{fde.Start(), fde.Size()})
			}
			return nil
		})
	}
	return made{entry: &entry{row: row{File: t.file}, data: file}, beside: map[string][]byte{name + suite.suffix: []byte(suite.test(t))}, err: err}
}

// findName returns the name of a find: that of its directory, as run writes it, or of the file.
func findName(find string) string {
	base := strings.TrimSuffix(filepath.Base(find), filepath.Ext(find))
	if base == "input" {
		base = filepath.Base(filepath.Dir(find))
	}
	return base
}

// findFiles returns the files of finds: the arguments, those in a directory, or those of a campaign.
func findFiles(paths []string) (all []string, err error) {
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, program.Failed(err)
		}
		if !info.IsDir() {
			all = append(all, p)
			continue
		}
		n := len(all)
		for _, pattern := range []string{"finds/*/input.*", "input.*", "*.elf", "*.o", "*.sframe"} {
			found, err := filepath.Glob(filepath.Join(p, pattern))
			if err != nil {
				return nil, err
			}
			if all = append(all, found...); len(found) > 0 && strings.Contains(pattern, "input") {
				break
			}
		}
		if len(all) == n {
			return nil, fmt.Errorf("--finds: %s has no finds", p)
		}
	}
	return all, nil
}
