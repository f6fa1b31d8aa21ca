package generator

import "github.com/spf13/pflag"

// Flags adds a flag for every knob to a flag set; parsing sets c. Its values
// at the time are the defaults.
func (c *Config) Flags(fs *pflag.FlagSet) {
	for _, k := range knobs {
		f := fs.VarPF(&flagValue{k, c}, k.Name, "", k.Doc+" Range: "+k.Range()+".")
		if k.Kind == Switch {
			f.NoOptDefVal = "true"
		}
	}
}

// flagValue is a knob of a configuration as a flag; it serves the flag
// package of the standard library, too.
type flagValue struct {
	k *Knob
	c *Config
}

func (v *flagValue) String() string {
	if v.k == nil {
		return ""
	}
	return v.k.Format(v.k.Get(v.c))
}

func (v *flagValue) Set(s string) error {
	n, err := v.k.Parse(s)
	if err != nil {
		return err
	}
	return v.k.Put(v.c, n)
}

func (v *flagValue) Type() string { return string(v.k.Kind) }

// IsBoolFlag lets a switch stand without a value.
func (v *flagValue) IsBoolFlag() bool { return v.k != nil && v.k.Kind == Switch }
