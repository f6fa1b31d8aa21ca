package lintcmd

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// TestConfigurationOfTheRun: a process that checks a unit refuses where its configuration is not that of its parent, which has
// written down under which one the result is kept.
func TestConfigurationOfTheRun(t *testing.T) {
	t.Setenv("SFRAME_LINT_UNIT", fmt.Sprintf("%d %064d %s", os.Getppid(), 0, corpus+"binutils-2.47/amd64/program.elf"))
	status, out, errs := runMain(nil, "--list", "list", "--results", "out", "--no-config")
	assert.Equal(t, program.ExitUsage, status)
	assert.Empty(t, out)
	assert.Contains(t, errs, "the configuration was changed during the run: start it again")
}
