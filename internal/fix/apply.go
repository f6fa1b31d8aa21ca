package fix

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ErrChanged is the error for a file whose bytes have changed since the check.
var ErrChanged = errors.New("the file has changed since it was checked")

// Apply changes the file: it edits a copy in the same directory and renames it, so
// that readers see the whole change or nothing, and an interrupted run does not
// change the file. Owner, permissions and extended attributes are kept; other hard
// links keep the old bytes. If the context ends, the copy is removed. Errors: I/O,
// [ErrShape], [ErrChanged], and the context's cause.
func (p *Plan) Apply(ctx context.Context) error { return p.ApplyTo(ctx, p.Path) }

// ApplyTo writes the changed file to another place, as [edit.File] does, and leaves the
// file as it is. A new file gets its permissions.
func (p *Plan) ApplyTo(ctx context.Context, path string) error {
	src, info, err := regular.Open(p.Path)
	if err != nil {
		return err
	}
	defer src.Close()
	if err := p.check(info.Size()); err != nil {
		return err
	}
	_, err = os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	err = edit.File(path, func(dst *os.File) error {
		if err := p.write(ctx, dst, src, info.Size()); err != nil {
			return err
		}
		return dst.Sync()
	})
	if err == nil && isNew {
		err = os.Chmod(path, info.Mode().Perm())
	}
	return err
}

// write copies the file and edits the copy. What is sparse stays so.
func (p *Plan) write(ctx context.Context, dst, src *os.File, size int64) error {
	if err := edit.Copy(ctx, dst, src, size); errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", p.Path, ErrChanged)
	} else if err != nil {
		return err
	}
	for i := range p.Edits {
		e := &p.Edits[i]
		if err := p.same(dst, e); err != nil {
			return err
		}
		if err := edit.Write(dst, e.New, e.Span.Off); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(p.Append) > 0 {
		_, err := dst.WriteAt(p.Append, p.endAfter(size)+p.Gap)
		return err
	}
	return dst.Truncate(p.endAfter(size))
}

// same returns an error if the bytes that an edit replaces are not those that the
// rule saw.
func (p *Plan) same(r io.ReaderAt, e *rules.Edit) error {
	if e.Sum == ([sha256.Size]byte{}) {
		return nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r, e.Span.Off, e.Span.Len)); err != nil {
		return err
	}
	if [sha256.Size]byte(h.Sum(nil)) != e.Sum {
		return fmt.Errorf("%s: %w: bytes 0x%x to 0x%x", p.Path, ErrChanged, e.Span.Off, e.Span.End())
	}
	return nil
}
