package lookup

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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
