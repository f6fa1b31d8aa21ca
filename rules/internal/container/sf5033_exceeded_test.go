package container_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

func TestExceeded(t *testing.T) {
	data := v3(t, "")
	for memory, want := range map[int64][]string{
		1:        {"SF5033 file 0x3c+2"}, // the section headers
		700:      {"SF5033 file 0x38+2"}, // the program headers
		1000:     {"SF5033 file 0x498+16"},
		32 << 10: {},
	} {
		opts := reader.Options{Limits: reader.Limits{reader.MaxMemory: memory}}
		err := reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), opts, func(o *reader.Object) error {
			require.Equal(t, want, ruletest.Findings(t, container.Rules, o), memory)
			return nil
		})
		require.NoError(t, err)
	}
}
