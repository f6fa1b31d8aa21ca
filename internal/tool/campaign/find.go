package campaign

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
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
	Reproduce    string         `json:"reproduce"`
	Version      string         `json:"version,omitempty"`
	OtherCommand string         `json:"other_command,omitempty"` // of the target with the other result
	OtherVersion string         `json:"other_version,omitempty"`
	File         string         `json:"file"`
	Size         int            `json:"size"`     // bytes
	NonZero      int            `json:"non_zero"` // number of bytes other than zero
	SHA256       string         `json:"sha256"`
	ABI          string         `json:"abi"`
	Seed         uint64         `json:"seed"`
	Input        int64          `json:"input"`
	Class        Class          `json:"class"`
	Recipe       *breaks.Recipe `json:"recipe,omitempty"`
	Changes      []string       `json:"changes,omitempty"`
	Rules        []string       `json:"rules,omitempty"`     // the rules that report an error in the file
	Clauses      []Clause       `json:"clauses,omitempty"`   // the clauses of the manual that the file violates
	Stack        []string       `json:"stack,omitempty"`     // of a crash, innermost frame first
	Allocated    []string       `json:"allocated,omitempty"` // the stack that allocated the memory, as a sanitizer reports it
	Cause        *Cause         `json:"cause,omitempty"`     // of a failure
	Fault        string         `json:"fault,omitempty"`     // name of the fault; other finds may have the same fault
	Same         []string       `json:"same,omitempty"`      // other finds of the same fault
	Known        bool           `json:"known,omitempty"`     // one of the known finds
	Unsteady     bool           `json:"unsteady,omitempty"`  // it fails only in some runs
}

// find minimizes the first input of a bucket and writes its directory, which appears at once.
func (c *campaign) find(ctx context.Context, s scratch, h *hit) error {
	t, with := c.target(h.Target), c.target(h.With)
	if t == nil {
		return nil
	}
	in, err := c.maker.input(h.Input, c.shape(t, h.Input))
	if err != nil {
		return err
	}
	small, err := s.minimize(ctx, t, with, in, h.Bucket, c.timeLeft())
	if err != nil {
		return err
	}
	f := &Find{ID: h.ID(), Bucket: h.Bucket, Message: h.Message, Version: t.Version, Seed: c.Seed, Input: h.Input,
		Class: in.Class, Changes: in.Changes, Recipe: &in.Recipe, ABI: in.ABI.Spec, File: inputName(t.kind())}
	f.Describe(small, in.Data)
	f.Command, f.Reproduce = t.commandFor(in), t.reproduce(with, f.File)
	if with != nil {
		f.OtherCommand, f.OtherVersion = with.commandFor(in), with.Version
	}
	last := *in
	last.Data = small
	v, steady, err := s.replay(ctx, t, with, &last, h.Bucket)
	if err != nil {
		return dropEnded(ctx, err)
	}
	f.Unsteady, f.Message, f.Stack, f.Allocated = !steady, cmp.Or(v.message, f.Message), v.frames, v.allocated
	if v.outcome.isCrash() && c.timeLeft() > 0 {
		if f.Cause, err = s.cause(ctx, t, in, small, h.Bucket); err != nil {
			return dropEnded(ctx, err)
		}
	}
	if ctx.Err() != nil {
		return nil // the next run minimizes it again
	}
	files := map[string][]byte{f.File: small, "original" + filepath.Ext(f.File): in.Data, "annotated.txt": dumpText(small)}
	files["report.json"] = must(Indent(f))
	files["report.md"] = f.markdown(files)
	return c.publish(f.ID, files)
}

// commandFor returns the command of the target for the machine of an input.
func (t *Target) commandFor(in *Input) string {
	return strings.ReplaceAll(t.Command, archMark, in.ABI.Arch)
}

// reproduce returns the command that shows a find again, in its directory.
func (t *Target) reproduce(with *Target, file string) string {
	words := []string{"sframe-fuzz", "run"}
	for _, t := range []*Target{t, with} {
		if t == nil {
			continue
		}
		line := t.Command
		if t.lib == nil || t.open != nil {
			line = t.Name + "=" + line
		}
		words = append(words, "--"+t.flag, quoteWord(line))
	}
	if t.lib == nil {
		words = append(words, "--memory", fmt.Sprint(t.limits.Memory>>20))
	}
	for _, v := range t.limits.Env {
		words = append(words, "--env", quoteWord(v))
	}
	return strings.Join(append(words, file), " ")
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./{}-]+$`)

// quoteWord returns a word of a shell's command.
func quoteWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func (c *campaign) target(name string) *Target {
	for _, t := range c.Targets {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// dumpText returns the dump of a file's section, as far as it can be read.
func dumpText(data []byte) []byte {
	var b bytes.Buffer
	if o := object(data); o != nil && len(o.SFrames) > 0 && model.HeaderSize(o.SFrames[0].Data) <= len(o.SFrames[0].Data) {
		if err := dump.Full(&b, o, o.SFrames[0], dump.Selection{}); err != nil {
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

// writes reports whether the crash shows that memory is written out of bounds.
func (f *Find) writes() bool {
	return f.Kind == Crash && (overwrites(f.Key, f.Message) || f.Key == "stack smashing detected" || f.Key == "buffer overflow detected")
}

// publish writes the directory of a find under another name, and renames it.
func (c *campaign) publish(id string, files map[string][]byte) error {
	tmp := path.Join(findsName, fmt.Sprintf("%s%016x", unfinished, rand.Uint64()))
	if err := c.root.Mkdir(tmp, 0o755); err != nil {
		return err
	}
	var err error
	for name, data := range files {
		err = errors.Join(err, writeNew(c.root, path.Join(tmp, name), data))
	}
	if err == nil {
		err = c.root.Rename(tmp, path.Join(findsName, id))
	}
	if err != nil {
		return errors.Join(err, c.root.RemoveAll(tmp))
	}
	return nil
}

// writeNew writes a file that must not exist to the disk.
func writeNew(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// replaceFile writes a file under another name, and renames it.
func replaceFile(root *os.Root, name string, data []byte) error {
	tmp := path.Join(path.Dir(name), fmt.Sprintf("%s%016x", unfinished, rand.Uint64()))
	err := writeNew(root, tmp, data)
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp) // it may not exist
	}
	return err
}
