package lintcmd

import (
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/cmd/internal/trace"
	"github.com/sframe-lint/sframe-lint/internal/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// explainFrame writes why a frame has its row, and its function's instructions.
func (a *app) explainFrame(w io.Writer, f *traceFlags, abi model.ABIInfo, x *trace.Explained) error {
	if x == nil {
		a.say("--explain: there is no frame %d", f.explain)
		a.status = program.ExitFindings
		return nil
	}
	if err := x.Write(w, abi); err != nil {
		return err
	}
	if x.Shown() == "" {
		return nil
	}
	of, err := (&tableFlags{config: configFlags{none: true}}).tables(a)
	if err != nil {
		return err
	}
	err = a.scan(lint.Path{Name: x.Module.Path}, reader.Options{}, func(o *reader.Object) error {
		t, err := of.open(o, table.Options{PC: x.Address(), ByPC: true, CFI: true})
		if err != nil {
			return err
		}
		out := table.NewText(w, t, a.useColor(a.stdout))
		out.Point(x.Address())
		fmt.Fprintln(w)
		if err := out.Begin(true); err != nil {
			return err
		}
		var failed error
		err = t.Functions(func(fn *table.Function) bool {
			failed = out.Function(fn)
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		if err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		a.say("the code of %s cannot be shown: %s", reports.Escape(x.Module.Path), reports.Escape(err.Error()))
	}
	return nil
}
