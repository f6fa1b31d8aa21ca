package lint

import (
	"github.com/sframe-lint/sframe-lint/rules"
)

// Configuration describes which configuration file a run used and what it turns
// off: the file may come from the tree that is checked.
type Configuration struct {
	Path string
	// Off are the IDs of the rules that the file turns off, Lowered those of the
	// rules whose severity it lowers, both sorted.
	Off, Lowered []string
	// Settings are the other settings of the file that may omit findings or
	// change the exit status, each with its key: "fail-on: never".
	Settings []string
}

// Weakens reports whether the file turns anything off.
func (c *Configuration) Weakens() bool { return len(c.Off)+len(c.Lowered)+len(c.Settings) > 0 }

// active returns the severities of the rules that are run.
func active(d *rules.Driver) map[string]rules.Severity {
	m := map[string]rules.Severity{}
	for _, r := range d.Rules {
		if s := d.SeverityOf(r); s != rules.Off {
			m[r.ID] = s
		}
	}
	return m
}

// Severities returns the severities of the rules that are run with the options, by ID. Errors: [*OptionError].
func (o Options) Severities() (map[string]rules.Severity, error) {
	d, err := o.driver()
	if err != nil {
		return nil, err
	}
	return active(d), nil
}
