package lint

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// The bytes of every finding are those that the file has there.
func TestListings(t *testing.T) {
	for _, name := range []string{"hand/twice.o", "binutils-2.44/amd64/archives/static.a", "hand/segment-alone.elf", "hand/v3-amd64-trailing-bytes.sframe"} {
		path := corpus + name
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		d := rules.Driver{Rules: catalogue.Rules()}
		n := 0
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			found := d.Run(o).Findings
			for i := range found {
				f := &found[i]
				for _, x := range ListingOf(o, f).Fields {
					at := f.FileOffset - f.Span.Off + x.Off
					assert.Equal(t, file[at:at+int64(len(x.Bytes))], x.Bytes, "%s: %s", name, f.Message)
					n++
				}
			}
			return nil
		}))
		assert.NotZero(t, n, name)
	}
}
