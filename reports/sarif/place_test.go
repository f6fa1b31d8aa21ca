package sarif

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

func TestURI(t *testing.T) {
	const root = "/src/my project"
	for _, x := range []struct{ root, path, want string }{
		{root, "a.o", "a.o"},
		{root, "./x/../a.o", "a.o"},
		{root, "sub dir/ä%20#?.o", "sub%20dir/%C3%A4%2520%23%3F.o"},
		{root, "c:a.o", "c%3Aa.o"},
		{root, "bad\xff\n.o", "bad%FF%0A.o"},
		{root, "/src/my project/deep/a.o", "deep/a.o"},
		{root, "..a.o", "..a.o"},
		{root, "../a.o", "file:///src/a.o"},
		{root, "/src/my projects/a.o", "file:///src/my%20projects/a.o"},
		{root, "/lib/a b.so", "file:///lib/a%20b.so"},
		{root, "<stdin>", "%3Cstdin%3E"},
		{"", "a.o", "a.o"},
		{"", "/lib/a.so", "file:///lib/a.so"},
	} {
		r := New(nil, Options{Root: x.root})
		a := r.artifact(x.path)
		assert.Equal(t, x.want, *a.URI, x.path)
		_, err := url.Parse(*a.URI)
		require.NoError(t, err)
		if strings.HasPrefix(x.want, "file:") {
			assert.Nil(t, a.URIBaseID, x.path)
		} else {
			assert.Equal(t, "%SRCROOT%", *a.URIBaseID, x.path)
		}
	}
}

// Half of all addresses do not fit SARIF's signed integers.
func TestHighAddressIsText(t *testing.T) {
	f := &outputtest.Files()[0].Objects[0].Findings[1]
	require.Equal(t, uint64(0xffffffff81000004), f.PC)
	assert.Equal(t, "0xffffffff81000004", properties(f).Properties["pc"])
	all := logical(f)
	last := all[len(all)-1]
	assert.Equal(t, `.sframe/ma\x1b[31min\xff\u202e/FDE 3/FRE 2/pc 0xffffffff81000004`, *last.FullyQualifiedName)
}

func TestFingerprintHoldsThroughRebuild(t *testing.T) {
	now := finding(outputtest.OrderRule, 4)
	now.Function, now.Path, now.FRE = "main", "/tmp/build-1/a.o", 2
	then := now
	then.Path, then.FileOffset, then.Span.Off, then.FDE, then.FRE = "/tmp/build-2/a.o", 0x999, 0x99, 70, 3
	then.PC, then.HasPC, then.Message = 0x1234, true, "another message"
	assert.Equal(t, ordinals{}.fingerprint(&now), ordinals{}.fingerprint(&then))
}

func TestFingerprintTellsApart(t *testing.T) {
	base := finding(outputtest.OrderRule, 40)
	base.Function = "main"
	seen := map[string]bool{}
	add := func() {
		p := ordinals{}.fingerprint(&base).String()
		assert.False(t, seen[p], "%+v", base)
		seen[p] = true
	}
	add()
	base.Rule = outputtest.VersionRule
	add()
	base.Path = "b.o"
	add()
	base.Member = "m.o"
	add()
	base.Function = "other"
	add()
	base.FRE = 0
	add()
	base.FDE, base.FRE = -1, -1
	add()
	base.Span.Off = 2 // sfp_version
	add()
	base.Span.Off = 3 // sfp_flags
	add()
	base.InSection = false
	add()
	base.Section = ""
	add()
	// Names must not run into one another.
	base.Member, base.Section = "m.o,1:x", ""
	add()
}

// What nothing tells apart is counted, and counted again in the next file.
func TestFingerprintOrdinals(t *testing.T) {
	f := finding(outputtest.OrderRule, 4)
	seen := ordinals{}
	a, b := seen.fingerprint(&f), seen.fingerprint(&f)
	assert.Equal(t, a.hash, b.hash)
	assert.Equal(t, []int{1, 2}, []int{a.ordinal, b.ordinal})
	assert.Regexp(t, `^[0-9a-f]{16}:2$`, b.String())
	assert.Equal(t, a, ordinals{}.fingerprint(&f))
}

// TestUnset: members with the value -1 go, wherever they are; other numbers and the text of strings stay.
func TestUnset(t *testing.T) {
	for before, after := range map[string]string{
		`{}`:                     `{}`,
		`{"a":-1}`:               `{}`,
		`{"a":-1,"b":-1,"c":-1}`: `{}`,
		`{"a":-1,"b":1}`:         `{"b":1}`,
		`{"b":1,"a":-1}`:         `{"b":1}`,
		`{"b":1,"a":-1,"c":[{"d":-1},{"e":2,"f":-1}]}`: `{"b":1,"c":[{},{"e":2}]}`,
		`{"a":-12,"b":-1.5,"c":1}`:                     `{"a":-12,"b":-1.5,"c":1}`,
		`{"a":"x\",\"b\":-1,\"y"}`:                     `{"a":"x\",\"b\":-1,\"y"}`,
		`{"a":"\":-1}","b":-1}`:                        `{"a":"\":-1}"}`,
		`{"a":"b:-1,","c":[-1,-1]}`:                    `{"a":"b:-1,","c":[-1,-1]}`,
	} {
		assert.Equal(t, after, string(unset([]byte(before))), before)
	}
}
