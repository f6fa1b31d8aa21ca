package main

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// stateKinds are faults in what is said of a frame apart from its three values.
var stateKinds = []kind{
	{name: "outermost", about: "an FRE of an ordinary function ends the trace", row: outermostRow},
	{name: "outermost-all", about: "all FREs of an ordinary function end the trace", fn: outermostAll},
	{name: "outermost-missing", about: "the FREs of the outermost function, such as _start, recover a caller", fn: outermostMissing},
	{name: "signal", about: "an ordinary function is marked as a signal frame", fn: signalSet},
	{name: "signal-missing", about: "a signal frame is not marked as one", fn: signalMissing},
	{name: "key", about: "the FDE has the other pauth key (AArch64)", fn: keyWrong},
	{name: "mangled", about: "RA is marked as signed in an FRE where it is not (AArch64)", row: mangledSet},
	{name: "mangled-missing", about: "RA is not marked as signed in an FRE where it is (AArch64)", row: mangledMissing},
	{name: "mangled-all", about: "RA is marked as signed in all FREs (AArch64)", fn: mangledAll},
	{name: "mangled-missing-all", about: "RA is marked as signed in no FRE (AArch64)", fn: mangledMissingAll},
	{name: "cold-entry", about: "a part of a function, such as .cold, starts as an entry does", fn: coldEntry},
	{name: "cold-entry-all", about: "a part of a function, such as .cold, has the FREs of an entry only", fn: coldEntryAll},
}

var outermost = model.Row{CFA: undefined, RA: undefined, FP: undefined}

var undefined = model.Recovery{Kind: model.Undefined}

func outermostRow(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && set(&f.Rows[j], outermost)
}

func outermostAll(_ *mutation, f *generator.Func) bool {
	any := false
	for j := range f.Rows {
		any = ordinary(f) && set(&f.Rows[j], outermost) || any
	}
	return any
}

func outermostMissing(m *mutation, f *generator.Func) bool {
	any := false
	for j := range f.Rows {
		any = f.Rows[j].Rules.Outermost() && set(&f.Rows[j], m.entry()) || any
	}
	return any
}

func signalSet(m *mutation, f *generator.Func) bool {
	ok := m.p.Version.Info().Signal && ordinary(f) && !f.Signal
	f.Signal = f.Signal || ok
	return ok
}

func signalMissing(_ *mutation, f *generator.Func) bool {
	ok := f.Signal
	f.Signal = false
	return ok
}

func keyWrong(m *mutation, f *generator.Func) bool {
	if !m.in.abi.Pauth || !ordinary(f) {
		return false
	}
	for j := range f.Rows {
		if f.Rows[j].Mangled {
			f.PauthKey ^= model.SFRAME_AARCH64_PAUTH_KEY_B
			return true
		}
	}
	return false
}

func mangle(m *mutation, f *generator.Func, j int, to bool) bool {
	r := &f.Rows[j]
	ok := m.in.abi.Pauth && ordinary(f) && r.Mangled != to && !r.Rules.Outermost()
	r.Mangled = r.Mangled != ok
	return ok
}

func mangledSet(m *mutation, f *generator.Func, j int) bool     { return mangle(m, f, j, true) }
func mangledMissing(m *mutation, f *generator.Func, j int) bool { return mangle(m, f, j, false) }

func mangledAll(m *mutation, f *generator.Func) bool {
	any := false
	for j := range f.Rows {
		any = mangle(m, f, j, true) || any
	}
	return any
}

func mangledMissingAll(m *mutation, f *generator.Func) bool {
	any := false
	for j := range f.Rows {
		any = mangle(m, f, j, false) || any
	}
	return any
}

// cold reports whether a function starts in another state than on entry.
func (m *mutation) cold(f *generator.Func) bool {
	return ordinary(f) && f.Rows[0].Rules != m.entry() && !f.Rows[0].Rules.Outermost()
}

func coldEntry(m *mutation, f *generator.Func) bool {
	return m.cold(f) && set(&f.Rows[0], m.entry())
}

func coldEntryAll(m *mutation, f *generator.Func) bool {
	if !m.cold(f) {
		return false
	}
	f.Rows = f.Rows[:1]
	return set(&f.Rows[0], m.entry())
}
