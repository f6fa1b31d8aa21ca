package catalogue_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// large returns a section of many functions.
func large(b *testing.B) ([]byte, uint64) {
	cfg := generator.Default()
	cfg.Funcs, cfg.Seed = 20000, 1
	plan, err := generator.Generate(cfg)
	require.NoError(b, err)
	data, err := generator.Encode(plan)
	require.NoError(b, err)
	return data, plan.Addr
}

// BenchmarkDecode decodes a section, BenchmarkDecodeAndRules runs all rules
// over it besides: in one run, the second should cost little more.
func BenchmarkDecode(b *testing.B) { bench(b, nil) }

func BenchmarkDecodeAndRules(b *testing.B) { bench(b, &rules.Driver{Rules: catalogue.Default()}) }

func bench(b *testing.B, d *rules.Driver) {
	data, addr := large(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s := reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
		if s.Section == nil || len(s.Faults) > 0 {
			b.Fatal(s.Faults)
		}
		if d != nil {
			o := &reader.Object{Size: int64(len(data)), Status: reader.StatusOK, SFrames: []*reader.SFrame{s}}
			if res := d.Run(o); len(res.Findings)+len(res.Failures) > 0 {
				b.Fatal(res.Findings)
			}
		}
	}
}

// BenchmarkObjects reads small object files and runs all rules over them, as is done with
// the members of an archive. BenchmarkPrograms does so with the files that the environment names in FILES.
func BenchmarkObjects(b *testing.B) {
	paths, err := filepath.Glob("../../corpus/files/binutils-2.47/*/*.o")
	require.NoError(b, err)
	benchFiles(b, paths)
}

func BenchmarkPrograms(b *testing.B) {
	paths := strings.Fields(os.Getenv("FILES"))
	if len(paths) == 0 {
		b.Skip("FILES names no files")
	}
	benchFiles(b, paths)
}

func benchFiles(b *testing.B, paths []string) {
	var files [][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(b, err)
		files = append(files, data)
	}
	require.NotEmpty(b, files)
	runner := (&rules.Driver{Rules: catalogue.Default()}).Runner()
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			require.NoError(b, reader.ScanReader("object.o", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
				runner.Run(o)
				return nil
			}))
		}
	}
}
