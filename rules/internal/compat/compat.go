// Package compat holds family SF8: rules on what consumers do with a section.
// Package consumers has the demands of consumers; the user selects the
// consumers that matter.
package compat

import (
	"github.com/sframe-lint/sframe-lint/internal/consumers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules returns the rules of the family, sorted by ID, for the selected
// consumers. Without a selection the rules report nothing.
func Rules(selected []*consumers.Profile) []*rules.Rule {
	return []*rules.Rule{rejects(selected), misreads(selected), crashes(selected), ignores(selected)}
}

// bound completes a rule that reports verdicts of one kind.
func bound(r rules.Rule, selected []*consumers.Profile, kind consumers.Kind) *rules.Rule {
	r.Scope = rules.PerBytes
	return rules.New(r, func(c *rules.Context) {
		for _, p := range selected {
			for _, v := range p.Judge(c.Object, c.SFrame) {
				if v.Kind == kind && !v.Moot {
					report(c, p, &v)
				}
			}
		}
	})
}

// report reports a verdict at the bytes that caused it.
func report(c *rules.Context, p *consumers.Profile, v *consumers.Verdict) {
	const format = "%s %s the section: %s"
	args := []any{p.Name, v.Outcome(), v.Why}
	if v.InFile {
		c.FileFDE(v.FDE, v.Span, format, args...)
		return
	}
	c.Fault(reader.Fault{Span: inside(c, v.Span), FDE: v.FDE, FRE: v.FRE}, format, args...)
}

// inside limits the bytes to the section.
func inside(c *rules.Context, sp model.Span) model.Span { return sp.Clip(int64(len(c.SFrame.Data))) }

// rejects finds sections that a consumer refuses.
func rejects(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8001",
		Title:    "section that a consumer rejects",
		Severity: rules.Error,
		Text: `A selected consumer refuses the section or a function in it: it reports an
error or continues without the data. Most consumers read one version of the format and
require more than the format does. Linux requires version 3 with sorted functions and
no auxiliary header, glibc 2.42 requires version 2, and GNU ld 2.46 and later require
version 3 in a section of type SHT_GNU_SFRAME. docs/consumers.md lists the
requirements of each consumer and their sources.`,
		Fix:  `Assemble and link with tools that write what the consumer reads, or use another consumer.`,
		Good: `for linux: sfp_version = 3, sfp_flags = FDE_SORTED | FDE_FUNC_START_PCREL`,
		Bad:  `for linux: sfp_version = 2`,
	}, selected, consumers.Rejects)
}

// misreads finds sections that a consumer misinterprets.
func misreads(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8002",
		Title:    "section that a consumer misreads",
		Severity: rules.Error,
		Text: `A selected consumer misinterprets the section or a part of it and reports no
error: stack traces are wrong or end early. Some consumers ignore a field that the
format allows to vary (llvm-readobj assumes that the FREs follow the FDEs, whatever
sfh_freoff is), some implement an older state of the format, and some have bugs.
docs/consumers.md lists the requirements of each consumer and their sources.`,
		Fix:  `Give the consumer what it expects. If the section is correct, report the bug in the consumer.`,
		Good: `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 80`,
		Bad:  `for llvm-23: sfh_num_fdes = 4, sfh_fdeoff = 0, sfh_freoff = 88`,
	}, selected, consumers.Misreads)
}

// crashes finds sections that a consumer crashes on.
func crashes(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8003",
		Title:    "section that a consumer crashes on",
		Severity: rules.Error,
		Text: `A selected consumer crashes on the section: it aborts on an assertion, divides
by zero, or reads out of bounds. "May crash" means that the consumer reads bytes
outside the section; their values decide whether it crashes or prints nonsense.
docs/consumers.md lists the requirements of each consumer and their sources.`,
		Fix:  `Build the section again. If it is correct, report the bug in the consumer.`,
		Good: `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 4`,
		Bad:  `for libsframe-2.47: the FREs of a function of 16 bytes start at 0, 1 and 20`,
	}, selected, consumers.Crashes)
}

// ignores finds sections that a consumer does not read.
func ignores(selected []*consumers.Profile) *rules.Rule {
	return bound(rules.Rule{
		ID:       "SF8004",
		Title:    "section that a consumer ignores",
		Severity: rules.Note,
		Text: `A selected consumer does not read the section and reports no error. Either it
does not find the section, as an unwinder without PT_GNU_SFRAME, or it drops the
section, as mold drops any version but 3, or it treats the section as plain data, as
lld, which concatenates the sections of its inputs. docs/consumers.md lists the
requirements of each consumer and their sources.`,
		Fix:  `Use a linker that merges SFrame sections. For an unwinder, link so that a PT_GNU_SFRAME segment covers the section.`,
		Good: `for mold-3: sfp_version = 3`,
		Bad:  `for mold-3: sfp_version = 2`,
	}, selected, consumers.Ignores)
}
