package lookup

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestName(t *testing.T) {
	for _, x := range []struct {
		pattern, name string
		want          bool
	}{
		{"main", "main", true}, {"main", "main.0", false}, {"main*", "main.cold", true}, {"*", "", true},
		{"", "", true}, {"", "a", false}, {"?", "", false}, {"?ain", "main", true},
		{"*main", "domain", true}, {"*a*b*", "xxaxbx", true}, {"*a*b*", "xxbxax", false},
		{"_ZN3foo*Ev", "_ZN3foo3barEv", true}, {"a/*", "a/b/c", true},
		{"main.(*T).Do", "main.(*T).Do", true}, {"f[...]", "f[...]", true}, {`a\b`, `a\b`, true}, {"[ab]", "a", false},
		{"späte*", "späte Namen", true}, {"*ä?", "späte", false}, {"*ä*", "späte", true},
	} {
		assert.Equal(t, x.want, Match(x.pattern, x.name), "%s %s", x.pattern, x.name)
	}
}

func TestMatchPath(t *testing.T) {
	for _, x := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.o", "/a.o", true}, {"*.o", "/build/x/a.o", true}, {"*.o", "/build/a.os", false},
		{"build/*.o", "/build/a.o", true}, {"build/*.o", "/build/x/a.o", false}, {"build/*.o", "/out/build/a.o", true},
		{"build/**/*.o", "/build/a.o", true}, {"build/**/*.o", "/build/x/y/a.o", true}, {"build/**", "/build/x/y", true},
		{"build/", "/build/x/y", true}, {"build/", "/build", false}, {"uild/", "/build/x", false},
		{"/build/*.o", "/build/a.o", true}, {"/build/*.o", "/x/build/a.o", false},
		{"./a.o", "/a.o", true}, {"a?o", "/a/o", false}, {"**", "/a/b", true}, {"**.o", "/x/a.o", true},
		{"crt?.o", "/lib/crt1.o", true}, {"x**y", "/xa/by", false}, {"crt[1i].o", "/lib/crti.o", true}, {"a[!b].o", "/ab.o", false},
		{`a\[1].o`, "/a[1].o", true}, {"a[", "/a[", false},
	} {
		assert.Equal(t, x.want, MatchPath(x.pattern, x.path), "%s %s", x.pattern, x.path)
	}
}

// A pattern of many stars must not take exponential time.
func TestManyStars(t *testing.T) {
	assert.False(t, Match(strings.Repeat("*a", 200)+"b", strings.Repeat("a", 2000)))
	assert.True(t, MatchPath(strings.Repeat("**/", 200)+"b", "/"+strings.Repeat("a/", 200)+"b"))
}

func TestNear(t *testing.T) {
	formats := []string{"text", "json", "sarif", "github", "html"}
	for word, want := range map[string][]string{
		"jsn":    {"json"},
		"JSON":   {"json"},
		"jsno":   {"json"},
		"tex":    {"text"},
		"txet":   {"text"},
		"josn":   {"json"},
		"sariff": {"sarif"},
		"git":    {"github"}, // its beginning
		"gi":     nil,
		"":       nil,
		"x":      nil,
		"plain":  nil,
	} {
		assert.Equal(t, want, Near(word, formats), "%q", word)
	}
	assert.Equal(t, []string{"gnu-ld-2.46", "gnu-ld-2.47"}, Near("gnu-ld-2.48", []string{"gnu-ld-2.46", "gnu-ld-2.47", "gnu-ld-3"}))
	assert.Nil(t, Near("SF1009", []string{"SF1001", "SF1002", "SF1003", "SF1004"}), "too many are as near")
}

func TestUnknownRule(t *testing.T) {
	ids := []string{"SF1003", "SF1004", "SF7001"}
	assert.EqualError(t, UnknownRule("sf1O03", ids, nil), `unknown rule or prefix "sf1O03"; did you mean "SF1003"?`)
	assert.EqualError(t, UnknownRule("SF77", ids, nil), `unknown rule or prefix "SF77"; did you mean "SF7"?`)
	assert.EqualError(t, UnknownRule("SF8", ids, nil), `unknown rule or prefix "SF8": 'sframe-lint rules' lists them`)
	assert.EqualError(t, UnknownRule("merge", ids, nil), `unknown rule or prefix "merge": 'sframe-lint rules' lists them`)
}

func TestUnknown(t *testing.T) {
	levels := []string{"error", "warning", "note"}
	assert.EqualError(t, Unknown("level", "eror", levels, ""), `unknown level "eror"; did you mean "error"?`)
	assert.EqualError(t, Unknown("level", "fatal", levels, ""), `unknown level "fatal": expected error, warning or note`)
	assert.EqualError(t, Unknown("rule", "x", nil, "'rules' lists them"), `unknown rule "x": 'rules' lists them`)
	assert.EqualError(t, Unknown("linker", "ldd", []string{"lld", "ld", "gold"}, ""), `unknown linker "ldd"; did you mean "lld" or "ld"?`)
}

func TestStems(t *testing.T) {
	assert.Equal(t, []string{"fre", "repeat", "sam", "cfa"}, Stems("FREs that repeat the same CFA, repeated"))
	assert.Equal(t, 2, Shared(Stems("FREs that repeat"), "An FRE repeats"))
	assert.Zero(t, Shared(Stems("a PLT"), "plot"))
}
