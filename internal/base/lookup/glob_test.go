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
