package consumers_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
)

func names(all []*consumers.Profile) []string {
	out := []string{}
	for _, p := range all {
		out = append(out, p.Name)
	}
	return out
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		names string
		want  []string
	}{
		{"", []string{}},
		{"linux", []string{"linux-user", "linux-vmlinux", "linux-module"}},
		{"linux-user,libsframe", []string{"libsframe-2.47", "linux-user"}},
		{" mold , glibc-2.42,", []string{"mold-3", "glibc-2.42"}},
		{"gnu-ld", []string{"gnu-ld-2.46"}},
		{"gnu-ld-2.43,gnu-ld-2.44", []string{"gnu-ld-2.44"}},
		{"gnu-ld-2.47,libsframe-2.46.1", []string{"libsframe-2.47", "gnu-ld-2.46"}},
		{"mold-3.0.1,mold-2.42.2", []string{"mold-2.42.1", "mold-3"}},
		{"mold-2.42.0,mold-2.37", []string{"mold-2.41", "mold-2.42"}},
		{"lld-19", []string{"lld-23"}},
	} {
		got, err := consumers.Select(c.names)
		require.NoError(t, err, c.names)
		require.Equal(t, c.want, names(got), c.names)
	}
	all, err := consumers.Select("all")
	require.NoError(t, err)
	require.Equal(t, names(consumers.All()), names(all))
}

func TestSelectUnknown(t *testing.T) {
	for _, name := range []string{"gdb", "gnu-ld-2.39", "gnu-ld-2.99", "gnu-ld-", "gnu-ld-x", "libsframe-2.45", "linux-6", "mold-4"} {
		_, err := consumers.Select("linux," + name)
		require.ErrorContains(t, err, "unknown consumer \""+name+"\"", name)
	}
	_, err := consumers.Select("gnu-ld-2.39")
	require.ErrorContains(t, err, "some of gnu-ld-2.40, gnu-ld-2.44, gnu-ld-2.45, gnu-ld-2.46, libsframe")
}

// The tables are right in themselves: names are unique, demands are of the
// vocabulary and all of it is used, and every claim has a source.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	used := map[consumers.Demand]bool{}
	vocabulary := consumers.Vocabulary()
	for _, p := range consumers.All() {
		require.False(t, seen[p.Name], p.Name)
		seen[p.Name] = true
		require.NotEmpty(t, p.Title)
		require.Contains(t, []consumers.Role{consumers.Tool, consumers.Linker, consumers.Unwinder, consumers.Loader}, p.Role, p.Name)
		require.NotEmpty(t, p.Ignores, p.Name)
		keys := map[string]bool{}
		for _, s := range p.Sources {
			require.False(t, keys[s.Key], "%s: source %s twice", p.Name, s.Key)
			keys[s.Key] = true
			require.Equal(t, s.Key == consumers.Measured, s.URL == "", "%s: %s", p.Name, s.Key)
		}
		require.Equal(t, p.Tools != "", keys[consumers.Measured], p.Name)
		require.NotEmpty(t, p.Verified, p.Name)
		for _, c := range p.Checks {
			require.Contains(t, vocabulary, c.Demand, p.Name)
			require.True(t, keys[c.From], "%s: %s has no source %q", p.Name, c.Demand, c.From)
			require.Equal(t, slices.Contains([]consumers.Demand{"eh-frame-entries", "return-addresses"}, c.Demand), c.Else == consumers.Reads, "%s: %s", p.Name, c.Demand)
			require.True(t, slices.Contains(consumers.Kinds(), c.Else))
			require.NotEmpty(t, c.Text())
			require.NotEmpty(t, c.How, "%s: %s", p.Name, c.Demand)
			used[c.Demand] = true
		}
	}
	for _, d := range vocabulary {
		require.True(t, used[d], "no profile demands %q", d)
	}
}

// A name in the file of profiles that means nothing is an error.
func TestDecodeRejects(t *testing.T) {
	for check, want := range map[string]string{
		`{"demand": "magic", "esle": "rejects"}`:              `profiles of consumers: json: unknown field "esle"`,
		`{"demand": "magik"}`:                                 `profile p: unknown demand "magik"`,
		`{"demand": "flags-set", "flags": ["SORTED"]}`:        `profile p: unknown flag "SORTED"`,
		`{"demand": "abi", "abis": ["AMD64"]}`:                `profile p: unknown ABI "AMD64"`,
		`{"list": "others"}`:                                  `profile p: no list "others"`,
		`{"demand": "named", "order": "big", "from": "none"}`: "",
	} {
		_, err := consumers.Decode([]byte(`{"profiles": [{"name": "p", "checks": [` + check + `]}]}`))
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}
