//go:build linux

package hostile

import (
	"os"
	"path/filepath"
	"slices"
)

// input is a hostile input.
type input struct {
	name string
	// section is the bytes of the largest SFrame section: memory may grow with it.
	section int64
	// build writes the input below dir and returns the path to check.
	build func(dir string) (string, error)
	// tree is set for a directory, which only some modes take, and files to their
	// number where it has very many: CPU time and output may grow with it.
	tree  bool
	files int
	// members is the number of objects in an archive where it has very many: output may
	// grow with it.
	members int
	// modes are the names of the modes that take the input; none: all those that need not
	// be named.
	modes []string
	// packed is set for packages, which may need more memory: see [budget.PromisePacked].
	packed bool
	// healthy inputs have no fault: the status must be 0. They are run apart from the others.
	healthy bool
}

// inputs returns all inputs.
func inputs() []input {
	return slices.Concat(sparseInputs(), tableInputs(), nameInputs(), sectionInputs(), manyInputs(), archiveInputs(), packageInputs(), treeInputs(), mapInputs(), textInputs(), cfiInputs(), codeInputs(), debugInputs(), healthyInputs())
}

// file returns an input that is one file with these bytes.
func file(name string, section int64, bytes func() []byte) input {
	return input{name: name, section: section, build: func(dir string) (string, error) {
		path := filepath.Join(dir, "input")
		return path, os.WriteFile(path, bytes(), 0o666)
	}}
}

// only returns the input, which takes no other modes than these.
func (in input) only(modes ...string) input {
	in.modes = modes
	return in
}

// object returns an input that is an ELF file.
func object(name string, section int64, make func() *image) input {
	return input{name: name, section: section, build: func(dir string) (string, error) {
		path := filepath.Join(dir, "input")
		return path, make().write(path)
	}}
}
