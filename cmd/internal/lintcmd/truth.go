package lintcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/replace"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
)

// record adds a truth to a file, which need not exist.
func (a *app) record(path string, t *execute.Truth, b *budget.Budget) error {
	switch old, err := execute.ReadTruthFile(path, b); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrNotRegular): // new, or written through
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	default:
		if err := old.Merge(t); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		t = old
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return replace.File(path, func(f *os.File) error { _, err := f.Write(append(data, '\n')); return err })
}
