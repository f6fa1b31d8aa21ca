package campaign

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/dump"
	"github.com/sframe-lint/sframe-lint/model"
)

// findsName is the directory of the finds, with a directory for each bucket.
const findsName = "finds"

// Find describes the first input of a bucket. It is written as report.json.
type Find struct {
	ID string `json:"id"`
	Bucket
	Message      string         `json:"message,omitempty"`
	Command      string         `json:"command"` // of the target, with {arch} replaced
	Version      string         `json:"version,omitempty"`
	OtherCommand string         `json:"other_command,omitempty"` // of the target that it disagrees with
	OtherVersion string         `json:"other_version,omitempty"`
	File         string         `json:"file"`
	Size         int            `json:"size"`     // bytes
	NonZero      int            `json:"non_zero"` // bytes that are not zero
	SHA256       string         `json:"sha256"`
	ABI          string         `json:"abi"`
	Seed         uint64         `json:"seed"`
	Input        int64          `json:"input"`
	Class        Class          `json:"class"`
	Recipe       *breaks.Recipe `json:"recipe,omitempty"`
	Changes      []string       `json:"changes,omitempty"`
	Rules        []string       `json:"rules,omitempty"`   // that report an error in the file
	Clauses      []Clause       `json:"clauses,omitempty"` // of the manual that the file violates
	Series       []Point        `json:"series,omitempty"`  // of a find that takes too long
	Places       []string       `json:"places,omitempty"`  // of a crash
	Stack        []string       `json:"stack,omitempty"`   // of a crash, as the program reports it
	Cause        *Cause         `json:"cause,omitempty"`   // of a failure
	Fault        string         `json:"fault,omitempty"`   // which others may share
	Same         []string       `json:"same,omitempty"`    // other finds of the fault
	Known        bool           `json:"known,omitempty"`   // among the finds that were given as known
	Unsteady     bool           `json:"unsteady,omitempty"`
}

// find minimizes the first input of a bucket and writes its directory, which appears at once.
func (c *campaign) find(ctx context.Context, s scratch, h *hit) error {
	t := c.target(h.Target)
	if t == nil {
		return nil
	}
	if h.Kind == Quadratic {
		return c.findSeries(t, h)
	}
	in, err := c.makerOf(c.journal.header.batchOf(h)).input(h.Input, c.shape(t, h.Input))
	if err != nil {
		return err
	}
	with := c.target(h.With)
	small, steady, err := s.minimize(ctx, t, with, in, h.Bucket, c.MaxShrink)
	if err != nil {
		return err
	}
	f := &Find{ID: h.ID(), Bucket: h.Bucket, Message: h.Message, Version: t.Version, Seed: c.Seed, Input: h.Input,
		Class: in.Class, Changes: in.Changes, Recipe: &in.Recipe, ABI: in.ABI.Spec, Unsteady: !steady}
	f.File = filepath.Base(s.input(t.kind()))
	f.Describe(small, in.Data)
	f.Command = strings.ReplaceAll(t.Command, archMark, in.ABI.Arch)
	if with != nil {
		f.OtherCommand, f.OtherVersion = strings.ReplaceAll(with.Command, archMark, in.ABI.Arch), with.Version
		last := *in
		last.Data = small
		if d, ok, err := s.tryPair(ctx, t, with, &last); err == nil && ok {
			f.Message = d.message
		}
	}
	if slices.Contains([]Kind{Crash, Hang, Memory, Slow}, h.Kind) {
		last := *in
		last.Data = small
		_, v, _, err := s.try(ctx, t, &last)
		if err != nil {
			return err
		}
		f.Stack = v.frames
		if f.Cause, err = s.cause(ctx, t, in, small, h.Bucket); err != nil {
			return ended(ctx, err)
		}
	}
	files := map[string][]byte{f.File: small, "original" + filepath.Ext(f.File): in.Data, "annotated.txt": annotated(small)}
	if h.Kind == Crash && t.lib == nil {
		if err := c.trace(ctx, s, t, in, small, f, files); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil // the next run minimizes it again
	}
	files["report.json"] = must(indented(f))
	files["report.md"] = f.markdown(files)
	return c.publish(f.ID, files)
}

func (c *campaign) target(name string) *Target {
	for _, t := range c.Targets {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// annotated returns the dump of a file's section, as far as it can be read.
func annotated(data []byte) []byte {
	var b bytes.Buffer
	if o := object(data); o != nil && len(o.SFrames) > 0 && model.HeaderSize(o.SFrames[0].Data) <= len(o.SFrames[0].Data) {
		if err := dump.Full(&b, o, o.SFrames[0], dump.Options{}); err != nil {
			fmt.Fprintln(&b, err)
		}
	}
	if b.Len() > maxAnnotated {
		b.Truncate(bytes.LastIndexByte(b.Bytes()[:maxAnnotated], '\n') + 1)
		b.WriteString("[...]\n")
	}
	fmt.Fprintf(&b, "\nThe file:\n\n%s", hex.Dump(data[:min(len(data), maxDump)]))
	if len(data) > maxDump {
		b.WriteString("[...]\n")
	}
	return b.Bytes()
}

// Bounds of the text on a find's section, and of the bytes of its file that are dumped or written in
// a report.
const (
	maxAnnotated = 1 << 16
	maxDump      = 1 << 12
	maxAssembly  = 1 << 13 // of a file as text
)

// trace adds the places of a crash, and gdb's backtrace if there is gdb.
func (c *campaign) trace(ctx context.Context, s scratch, t *Target, in *Input, data []byte, f *Find, files map[string][]byte) error {
	cmd, err := t.command(in.ABI.Arch, s.dir)
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.input(t.kind()), data, 0o600); err != nil {
		return err
	}
	at := locate(ctx, cmd, s.input(t.kind()), s.output())
	f.Places, f.Message = at.places, cmp.Or(at.access, f.Message)
	if c.Backtraces {
		if b := backtrace(ctx, cmd, s.input(t.kind()), s.output()); b != nil {
			files["backtrace.txt"] = b
		}
	}
	return nil
}

// writes reports whether the crash shows that memory is written out of bounds.
func (f *Find) writes() bool {
	return f.Kind == Crash && (strings.Contains(f.Message, "WRITE") || strings.HasPrefix(f.Key, "heap ") || slices.Contains([]string{"stack smashing detected", "buffer overflow detected"}, f.Key) || strings.HasPrefix(f.Key, "asan write"))
}

// publish writes the directory of a find under another name, and renames it.
func (c *campaign) publish(id string, files map[string][]byte) error {
	finds := filepath.Join(c.Dir, findsName)
	tmp, err := os.MkdirTemp(finds, ".tmp-")
	if err != nil {
		return err
	}
	for name, data := range files {
		err = errors.Join(err, writeSynced(filepath.Join(tmp, name), data))
	}
	err = errors.Join(err, os.Chmod(tmp, 0o755))
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	if err := os.Rename(tmp, filepath.Join(finds, id)); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
