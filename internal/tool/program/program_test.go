package program

import (
	"bytes"
	"errors"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

func TestRun(t *testing.T) {
	disk := errors.New("the disk\x1b is full")
	for _, test := range []struct {
		name   string
		err    error
		status int
		said   string
	}{
		{"nothing", nil, ExitClean, ""},
		{"I/O", Failed(disk), ExitFailed, "tool: the disk\\x1b is full\n"},
		{"configuration", WrongUsage(disk), ExitUsage, "tool: the disk\\x1b is full\n"},
		{"usage", disk, ExitUsage, "tool: the disk\\x1b is full\nTry 'tool --help' for more.\n"},
		{"panic", Failed(&InternalError{"boom", []byte("main.go:1\n")}), ExitFailed, "tool: internal error: boom\nmain.go:1\n"},
		{"no failure", Failed(nil), ExitClean, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := &cobra.Command{
				Use:           "tool FILE",
				SilenceErrors: true,
				SilenceUsage:  true,
				RunE:          func(*cobra.Command, []string) error { return test.err },
			}
			var stdout, stderr bytes.Buffer
			assert.Equal(t, test.status, Run(root, []string{"file"}, nil, &stdout, &stderr))
			assert.Equal(t, test.said, stderr.String())
			assert.Empty(t, stdout.String())
		})
	}
}
