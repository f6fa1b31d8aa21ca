package fuzzcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
)

// containers are the files that a section can be put in, by name, with what
// the file's name ends in.
var containers = []struct{ name, suffix string }{
	{"raw", ".sframe"},
	{"exec", ".elf"},
	{"shared", ".so"},
	{"rel", ".o"},
	{"archive", ".a"},
}

func containerNames() (names []string) {
	for _, c := range containers {
		names = append(names, c.name)
	}
	return names
}

func checkContainer(name string) error {
	if !slices.Contains(containerNames(), name) {
		return fmt.Errorf("--container: unknown container %q: want %s", name, strings.Join(containerNames(), ", "))
	}
	return nil
}

func suffix(container string) string {
	for _, c := range containers {
		if c.name == container {
			return c.suffix
		}
	}
	return ""
}

// wrap puts a section into a file.
func wrap(container string, p *generator.Plan) ([]byte, error) {
	switch container {
	case "exec":
		return fileOf(generator.WrapExec(p))
	case "shared":
		return fileOf(generator.WrapShared(p))
	case "rel":
		return fileOf(generator.WrapRel(p))
	case "archive":
		b, err := fileOf(generator.WrapRel(p))
		if err != nil {
			return nil, err
		}
		return generator.WrapArchive([]generator.Member{{Name: memberName, Bytes: b}})
	}
	return generator.Encode(p)
}

// memberName is what the member of a generated archive is called.
const memberName = "generated.o"

func fileOf(f *generator.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return f.Bytes, nil
}
