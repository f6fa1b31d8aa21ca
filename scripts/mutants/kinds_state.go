package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// stateKinds are faults in what is said of a frame apart from its three values.
var stateKinds = []mutator{
	{name: "outermost", about: "an FRE of an ordinary function ends the trace", row: outermost},
	{name: "outermost-all", about: "all FREs of an ordinary function end the trace", fn: each(0, outermost)},
	{name: "outermost-missing", about: "the FREs of the outermost function, such as _start, recover a caller", of: anyFunc,
		fn: each(0, func(m *mutation, f *generator.Func, j int) bool {
			return f.Rows[j].Rules.Outermost() && set(&f.Rows[j], m.entry())
		})},
	{name: "signal", about: "an ordinary function is marked as a signal frame", fn: func(m *mutation, f *generator.Func, _ int) bool {
		ok := m.p.Version.Info().Signal && !f.Signal
		f.Signal = f.Signal || ok
		return ok
	}},
	{name: "signal-missing", about: "a signal frame is not marked as one", of: anyFunc, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.Signal
		f.Signal = false
		return ok
	}},
	{name: "key", about: "the FDE has the other pauth key (AArch64)", fn: func(m *mutation, f *generator.Func, _ int) bool {
		ok := m.in.ABI.Pauth && slices.ContainsFunc(f.Rows, func(r generator.Row) bool { return r.Mangled })
		if ok {
			f.PauthKey ^= model.SFRAME_AARCH64_PAUTH_KEY_B
		}
		return ok
	}},
	{name: "mangled", about: "RA is marked as signed in an FRE where it is not (AArch64)", row: signRA(true)},
	{name: "mangled-missing", about: "RA is not marked as signed in an FRE where it is (AArch64)", row: signRA(false)},
	{name: "mangled-all", about: "RA is marked as signed in all FREs (AArch64)", fn: each(0, signRA(true))},
	{name: "mangled-missing-all", about: "RA is marked as signed in no FRE (AArch64)", fn: each(0, signRA(false))},
	{name: "cold-entry", about: "a part of a function, such as .cold, starts as an entry does", fn: coldEntry},
	{name: "cold-entry-all", about: "a part of a function, such as .cold, has the FREs of an entry only", fn: func(m *mutation, f *generator.Func, i int) bool {
		ok := coldEntry(m, f, i)
		if ok {
			f.Rows = f.Rows[:1]
		}
		return ok
	}},
}

var undefined = model.Recovery{Kind: model.Undefined}

func outermost(_ *mutation, f *generator.Func, j int) bool {
	return set(&f.Rows[j], model.Row{CFA: undefined, RA: undefined, FP: undefined})
}

// signRA marks RA as signed in a row, or not.
func signRA(to bool) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		r := &f.Rows[j]
		ok := m.in.ABI.Pauth && r.Mangled != to && !r.Rules.Outermost()
		r.Mangled = r.Mangled != ok
		return ok
	}
}

// coldEntry gives a function that starts in another state than on entry that state.
func coldEntry(m *mutation, f *generator.Func, _ int) bool {
	return !f.Rows[0].Rules.Outermost() && set(&f.Rows[0], m.entry())
}
