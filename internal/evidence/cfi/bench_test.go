package cfi_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/reader"
)

// decodeAll decodes all rows of a file to recovery rules.
func decodeAll(path string) (rows int, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		var run cfi.Runner
		var row cfi.Row
		for _, s := range frames.Sections {
			for f := range s.FDEs() {
				for run.Reset(&f); run.Next(&row); rows++ {
					f.Recover(&row, row.Start)
				}
			}
		}
		return nil
	})
	return rows, err
}

// compareAll reads a file and compares its SFrame data with its CFI.
func compareAll(path string) (rows int, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		for _, f := range o.SFrames {
			if f.Section != nil {
				rows += cfi.Compare(f.Section, frames, func(cfi.Difference) {}).Rows
			}
		}
		return nil
	})
	return rows, err
}

// BenchmarkReadelf compares the time that the package takes for the files of
// SFRAME_CFI (a glob pattern) with that of "readelf
// --debug-dump=frames-interp" of SFRAME_TOOLS on the same files.
func BenchmarkReadelf(b *testing.B) {
	dir, pattern := os.Getenv("SFRAME_TOOLS"), os.Getenv("SFRAME_CFI")
	if dir == "" || pattern == "" {
		b.Skip("SFRAME_TOOLS and SFRAME_CFI are not both set")
	}
	files, err := filepath.Glob(pattern)
	require.NoError(b, err)
	for name, work := range map[string]func(string) (int, error){"rows": decodeAll, "compare": compareAll} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs time.Duration
			rows := 0
			for b.Loop() {
				rows = 0
				for _, file := range files {
					start := time.Now()
					n, err := work(file)
					ours += time.Since(start)
					require.NoError(b, err)
					rows += n

					cmd := exec.Command(filepath.Join(dir, "bin", "sid-x86_64-readelf"), "--debug-dump=frames-interp", file)
					cmd.Stdout = io.Discard
					start = time.Now()
					_ = cmd.Run() // the status is 1 for much that does not matter here
					theirs += time.Since(start)
				}
			}
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(float64(ours.Nanoseconds())/float64(rows)/float64(b.N), "ns/row")
			b.ReportMetric(float64(theirs)/float64(ours), "readelf/ours")
		})
	}
}

// TestRunnerAllocates nothing after its first use.
func TestRunnerAllocates(t *testing.T) {
	rows, f, _ := one(amd64, usual(amd64), 32, ops(0x0a, 0x41, 0x0b, 0x0f), block(0x76, 0x78, 0x06))
	require.Len(t, rows, 2)
	var run cfi.Runner
	var row cfi.Row
	run.Reset(&f)
	for run.Next(&row) {
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for run.Reset(&f); run.Next(&row); {
			f.Recover(&row, row.Start)
		}
	}))
}
