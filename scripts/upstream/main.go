// Command upstream writes what is prepared for pull requests to other projects, from finds of corpus/consumers and cases
// of the conformance suite: the projects for google/oss-fuzz, tests for binutils' test suite, which assemble a section and
// print it, and tests for LLVM's, which make it with yaml2obj. There is one find for each fault, and a case for each
// version and ABI. Each file is at its place in the project's tree.
//
//	go run -C scripts ./upstream DIR
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/campaign"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// Places in the trees of the projects.
const (
	binutilsDir = "binutils-gdb/binutils/testsuite/binutils-all/sframe-sections"
	llvmDir     = "llvm-project/llvm/test/tools/llvm-readobj/ELF/sframe-sections"
	ossFuzzDir  = "oss-fuzz/projects"
)

// mostBytes bounds the sections of tests, and mostFinds the finds of a project.
const (
	mostBytes = 256
	mostFinds = 12
)

func main() {
	root.Enter()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: upstream DIR")
	}
	files := map[string]string{}
	if err := ossFuzz(files); err != nil {
		return err
	}
	valid, err := validSections()
	if err != nil {
		return err
	}
	for _, p := range []struct {
		programs []string
		read     map[model.Version]bool
		test     func(map[string]string, *section)
	}{
		{[]string{"objdump", "readelf", "libsframe"}, map[model.Version]bool{model.SFRAME_VERSION_2: true, model.SFRAME_VERSION_3: true}, binutilsTest},
		{[]string{"llvm-readobj"}, map[model.Version]bool{model.SFRAME_VERSION_2: true}, llvmTest},
	} {
		found, err := foundSections(p.programs)
		if err != nil {
			return err
		}
		for _, s := range slices.Concat(valid, found) {
			if !p.read[s.version] {
				continue
			}
			p.test(files, s)
		}
	}
	files[filepath.Join(binutilsDir, "sframe-sections.exp")] = binutilsExp
	for name, text := range files {
		path := filepath.Join(args[0], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// ossFuzz adds the projects for OSS-Fuzz.
func ossFuzz(files map[string]string) error {
	for project, from := range map[string]string{"sframe-lint": "integrations/oss-fuzz", "libsframe": "integrations/oss-fuzz/libsframe"} {
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			b, err := os.ReadFile(filepath.Join(from, e.Name()))
			if err != nil {
				return err
			}
			files[filepath.Join(ossFuzzDir, project, e.Name())] = string(b)
		}
	}
	return nil
}

// section is a section of a test.
type section struct {
	name    string
	about   string
	version model.Version
	abi     model.ABIInfo
	data    []byte
	funcs   []model.FDE // of a valid one
}

// validSections returns a valid section of the conformance suite for each version and ABI, the first one that has several
// functions.
func validSections() (all []*section, err error) {
	b, err := conformance.Files.ReadFile("cases/valid.jsonl")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(b) {
		var c struct{ Section, PC, Verdict string }
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, err
		}
		if c.Verdict != "accept" || c.Section == "" || c.PC != "" {
			continue
		}
		data, err := hex.DecodeString(c.Section)
		if err != nil {
			return nil, err
		}
		s, _ := reader.DecodeSection(data, reader.SectionOptions{})
		if s == nil || !s.ABI().Known() || s.NumFDEs() < 2 || len(data) > mostBytes || s.Version() == model.SFRAME_VERSION_1 {
			continue
		}
		key := fmt.Sprintf("v%d-%s", s.Version(), abiName(s.ABI()))
		if !seen[key] {
			seen[key] = true
			all = append(all, &section{name: "valid-" + key, about: "a valid section", version: s.Version(), abi: s.ABI(), data: data, funcs: slices.Collect(s.FDEs())})
		}
	}
	return all, nil
}

// abiName returns the name of an ABI in file names.
func abiName(abi model.ABIInfo) string { return generator.LookupKnob("abi").Format(int64(abi.ID)) }

// foundSections returns the section of a find for each fault of programs.
func foundSections(programs []string) (all []*section, err error) {
	c, err := corpus.LoadConsumers("corpus")
	if err != nil {
		return nil, err
	}
	files, err := corpus.ConsumerFiles("corpus")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range c.Finds {
		name, _, _ := strings.Cut(f.Target, "-2")
		if f.Kind != string(campaign.Crash) && f.Kind != string(campaign.Misreads) && f.Kind != string(campaign.RejectsValid) || !slices.Contains(programs, name) || seen[f.Fault] {
			continue
		}
		s := sectionOf(files[f.File])
		if s == nil || len(s.data) > mostBytes {
			continue
		}
		seen[f.Fault] = true
		s.name, s.about = strings.TrimSuffix(f.File, filepath.Ext(f.File)), f.Fault
		if f.Class != string(campaign.Valid) {
			s.funcs = nil
		}
		if all = append(all, s); len(all) == mostFinds {
			break
		}
	}
	return all, nil
}

// sectionOf returns the section of a file; nil if its header cannot be decoded.
func sectionOf(data []byte) *section {
	raw := campaign.SectionBytes(data)
	s, _ := reader.DecodeSection(raw, reader.SectionOptions{})
	if s == nil || !s.ABI().Known() {
		return nil
	}
	return &section{version: s.Version(), abi: s.ABI(), data: raw, funcs: slices.Collect(s.FDEs())}
}
