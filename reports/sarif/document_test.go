package sarif

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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
