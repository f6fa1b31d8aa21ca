package lintcmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/lint/config"
	"github.com/sframe-lint/sframe-lint/rules"
)

// configFlags say which configuration is read.
type configFlags struct {
	path  string
	none  bool
	found *config.Config // what was read, nil for none
}

func (f *configFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.path, "config", "", "read this configuration `FILE` (default: the nearest "+config.Name+"\nfrom the working directory up)")
	fl.BoolVar(&f.none, "no-config", false, "read no configuration")
	c.MarkFlagsMutuallyExclusive("config", "no-config")
}

// read finds and reads the configuration, nil if there is none.
func (f *configFlags) read(all []*rules.Rule) (*config.Config, error) {
	if f.none {
		return nil, nil
	}
	path := f.path
	if path == "" {
		wd, err := os.Getwd()
		if err != nil {
			return nil, nil // removed under our feet: nothing is above it
		}
		if path, err = config.Find(wd); err != nil || path == "" {
			return nil, err
		}
		if rel, err := filepath.Rel(wd, path); err == nil {
			path = rel
		}
	}
	known := config.Known{Consumer: func(name string) error {
		_, err := selectConsumers([]string{name})
		return err
	}}
	for _, r := range all {
		known.Rules = append(known.Rules, r.ID)
	}
	return config.Load(path, known)
}

// configure gives the flags that were not set the values of the
// configuration.
func (f *lintFlags) configure(fl *pflag.FlagSet, all []*rules.Rule) error {
	c, err := f.config.read(all)
	if err != nil || c == nil {
		return err
	}
	f.config.found = c
	list := func(name string, to *[]string, from []string) {
		if from != nil && !fl.Changed(name) {
			*to = from
		}
	}
	list("select", &f.selected, c.Select)
	list("ignore", &f.ignored, c.Ignore)
	list("producer", &f.producers, c.Producers)
	list("consumer", &f.consumers, c.Consumers)
	list("allow-section", &f.allowed, c.AllowSections)
	var levels []string
	for _, o := range c.Severity {
		levels = append(levels, o.ID+"="+o.Level.String())
	}
	f.severities = append(levels, f.severities...)
	if c.FailOn != nil && !fl.Changed("fail-on") {
		f.failOn = *c.FailOn
	}
	if c.RequireSFrame != nil && !fl.Changed("require-sframe") {
		f.requireSFrame = *c.RequireSFrame
	}
	if c.Baseline != "" && !fl.Changed("baseline") {
		f.known.path = c.Baseline
	}
	f.limits.configure(fl, &c.Limits)
	return nil
}

func (l *limits) configure(fl *pflag.FlagSet, c *config.Limits) {
	size := func(name string, to, from *config.Size) {
		if from != nil && !fl.Changed(name) {
			*to = *from
		}
	}
	size("max-bytes", &l.section, c.MaxBytes)
	size("code-limit", &l.code, c.CodeLimit)
	size("symbol-limit", &l.symbols, c.SymbolLimit)
	if c.MaxFindings != nil && !fl.Changed("max-findings") {
		l.findings = *c.MaxFindings
	}
	if c.Timeout != nil && !fl.Changed("timeout") {
		l.timeout = *c.Timeout
	}
}

// quirks makes notes of the findings that the producers are known for.
func quirks(m map[string]rules.Severity, names []string, all []*rules.Rule) error {
	for _, name := range names {
		ids, err := producers.Quirks(name)
		if err != nil {
			return fmt.Errorf("--producer: %w", err)
		}
		for _, r := range all {
			if config.Matches(ids, r.ID) && r.Severity > rules.Note {
				m[r.ID] = rules.Note
			}
		}
	}
	return nil
}

// configError makes an error of the configuration one of usage: nothing has
// been checked.
func configError(err error) error {
	var e *config.Error
	if !errors.As(err, &e) {
		err = fmt.Errorf("configuration: %w", err)
	}
	return program.Wrong(err)
}
