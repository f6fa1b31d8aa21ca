package lintcmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/cmd/internal/trace"
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/html"
	"github.com/sframe-lint/sframe-lint/internal/regular"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// Most frames of a thread, and of all, that a page shows.
const viewFrames, viewAllFrames = 200, 5000

// frameCost is about the bytes of memory of a frame in a page.
const frameCost = 1500

// core adds the backtraces of a core to the page, and the files with their code.
func (v *viewer) core(b *budget.Budget) error {
	opts := reader.Options{NoSurvey: true, Budget: b, MaxSection: v.limits[budget.Section]}
	in, fi, err := regular.Open(v.args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	core, err := corefile.Open(in, fi.Size(), opts)
	if err != nil {
		return err
	}
	mods := corefile.NewModules(core, corefile.Options{Exe: v.exe, Sysroot: v.sysroot, Read: opts})
	var threads []html.Thread
	var files []string
	n := 0
	visit := func(thread, id int, d *trace.Frame, x *trace.Explained) {
		if thread == len(threads) {
			threads = append(threads, html.Thread{ID: id})
		}
		t := &threads[thread]
		if x.Stop != nil {
			t.End = x.Stop.Error()
		}
		if n++; n > viewAllFrames || b.Spend(budget.Memory, frameCost) != nil {
			return
		}
		t.Frames = append(t.Frames, v.frame(core, d, x))
		if path := x.Shown(); path != "" && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	r, err := trace.Write(io.Discard, core, mods, trace.Options{Name: v.args[0], MaxFrames: viewFrames, Budget: b, Visit: visit})
	if err == nil {
		err = r.Err
	}
	if err != nil {
		return err
	}
	if err := v.open(); err != nil {
		return err
	}
	v.page.Threads(threads)
	for _, path := range files {
		if err := v.add(path, path); err != nil {
			v.fail("%s", reports.Escape(err.Error()))
		}
	}
	return nil
}

// frame describes a frame.
func (v *viewer) frame(core *corefile.Core, d *trace.Frame, x *trace.Explained) html.Frame {
	f := html.Frame{Name: d.PC}
	if d.Function != "" {
		f.Name = d.Function
		if d.Offset > 0 {
			f.Name += fmt.Sprintf("+0x%x", d.Offset)
		}
	}
	if d.Signal {
		f.Name += " (signal)"
	}
	if path := x.Shown(); path != "" {
		f.File, f.Addr = path, x.Address()
	}
	var b strings.Builder
	_ = x.Write(&b, core.ABI) // a builder has no errors
	_, text, _ := strings.Cut(strings.TrimLeft(b.String(), "\n"), "\n")
	f.Text = strings.ReplaceAll(strings.TrimSpace(text), "\n    ", "\n")
	return f
}
