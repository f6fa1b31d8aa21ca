package campaign

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/dump"
	"github.com/sframe-lint/sframe-lint/fuzz/shrink"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules/clauses"
)

// findsName is the directory of the finds, with a directory for each bucket.
const findsName = "finds"

// Find is what is known of the first input of a bucket. It is written as report.json.
type Find struct {
	ID string `json:"id"`
	Bucket
	Message    string         `json:"message,omitempty"`
	Command    string         `json:"command"` // of the target, with {arch} replaced
	Version    string         `json:"version,omitempty"`
	File       string         `json:"file"`
	Size       int            `json:"size"`     // bytes
	NonZero    int            `json:"non_zero"` // bytes that are not zero
	SHA256     string         `json:"sha256"`
	ABI        string         `json:"abi"`
	Seed       uint64         `json:"seed"`
	Input      int64          `json:"input"`
	Class      Class          `json:"class"`
	Recipe     *breaks.Recipe `json:"recipe,omitempty"`
	Changes    []string       `json:"changes,omitempty"`
	Rules      []string       `json:"rules,omitempty"`  // that report an error in the file
	Clause     string         `json:"clause,omitempty"` // of the manual that the file does not meet
	ClauseText string         `json:"clause_text,omitempty"`
	Places     []string       `json:"places,omitempty"` // of a crash
	Unsteady   bool           `json:"unsteady,omitempty"`
}

// Time to minimize a find, and one whose runs take the time limit.
const (
	shrinkTime     = 2 * time.Minute
	shrinkSlowTime = 20 * time.Second
)

// find minimizes the first input of a bucket and writes its directory, which appears at once.
func (c *campaign) find(ctx context.Context, s scratch, h *hit) error {
	t := c.target(h.Target)
	if t == nil {
		return nil
	}
	in, err := c.maker.input(h.Input, t.kind())
	if err != nil {
		return err
	}
	small, steady, err := s.minimize(ctx, t, in, h.Bucket, c.MaxShrink)
	if err != nil {
		return err
	}
	f := &Find{ID: h.ID(), Bucket: h.Bucket, Message: h.Message, Version: t.Version, Seed: c.Seed, Input: h.Input,
		Class: in.Class, Changes: in.Changes, Recipe: &in.Recipe, ABI: in.ABI.Spec, Unsteady: !steady}
	f.File = filepath.Base(s.input(t.kind()))
	f.Describe(small)
	f.Command = strings.ReplaceAll(t.Command, archMark, archOf(in.ABI))
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

// Describe fills in what the bytes of the file show: its size, the rules that report an error, and
// the clause that it does not meet.
func (f *Find) Describe(data []byte) {
	f.Rules, f.Clause, f.ClauseText = nil, "", ""
	sum := sha256.Sum256(data)
	f.SHA256, f.Size, f.NonZero = hex.EncodeToString(sum[:]), len(data), len(data)-bytes.Count(data, []byte{0})
	o := object(data)
	if o == nil || f.Class == Valid {
		return
	}
	for _, x := range linter.Run(o).Findings {
		if len(f.Rules) == 0 || f.Rules[len(f.Rules)-1] != x.Rule.ID {
			f.Rules = append(f.Rules, x.Rule.ID)
		}
	}
	f.cite()
}

// cite finds the clause that the file does not meet: that of the break if its rule still reports it,
// else that of the first rule on the section.
func (f *Find) cite() {
	ids := slices.Clone(f.Rules)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(aroundSection(a), aroundSection(b)) })
	if f.Recipe != nil && len(f.Recipe.Breaks) > 0 {
		if id := breaks.Lookup(f.Recipe.Breaks[0].Name).Rule; slices.Contains(ids, id) {
			ids = slices.Insert(ids, 0, id)
		}
	}
	for _, id := range ids {
		if all := clauses.Of(id); len(all) > 0 {
			f.Clause, f.ClauseText = all[0].ID, all[0].Text
			return
		}
	}
}

// aroundSection returns 0 for a rule on the section, 1 for one on the file around it.
func aroundSection(rule string) int {
	if rule < "SF4" {
		return 0
	}
	return 1
}

// minimize returns the smallest file found that is in the same bucket. It returns the input
// itself and false if the failure does not occur again.
func (s scratch) minimize(ctx context.Context, t *Target, in *Input, b Bucket, most int) ([]byte, bool, error) {
	var failed error
	holds := func(data []byte) bool {
		c := *in
		c.Data = data
		if !in.resembles(data) {
			return false
		}
		if in.Class == Valid && !c.stillValid() {
			return false
		}
		_, _, bad, err := s.try(ctx, t, &c)
		if err != nil {
			failed = err
		}
		for _, v := range bad {
			if (Bucket{t.Name, v.kind, v.key}) == b {
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc([]int{1, 2}, func(int) bool { return holds(in.Data) }) { // chance decides some failures
		return in.Data, false, ended(ctx, failed)
	}
	limit := shrinkTime
	if b.Kind == Hang || b.Kind == Slow {
		limit = shrinkSlowTime
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	search := &shrink.Search{Keep: holds, Context: limited, MaxTries: most}
	search.File(in.Data)
	return search.Best(), true, ended(ctx, failed)
}

// resembles reports whether a smaller file is of the same machine and, if the section's header can be
// decoded in both, of the same version and a known ABI, so that the fault that matters is the one
// that remains.
func (in *Input) resembles(data []byte) bool {
	a, b := object(in.Data), object(data)
	if a == nil || a.ELF == nil {
		return true
	}
	if b == nil || b.ELF == nil || a.ELF.Machine != b.ELF.Machine || a.ELF.Type != b.ELF.Type || len(b.SFrames) == 0 && len(a.SFrames) > 0 {
		return false
	}
	if len(a.SFrames) == 0 || a.SFrames[0].Section == nil {
		return true
	}
	s, t := a.SFrames[0].Section, b.SFrames[0].Section
	return t != nil && s.Version() == t.Version() && (t.ABI().Known() || !s.ABI().Known())
}

// stillValid reports whether the rules find no error in the section of a smaller input, and sets
// the version from it.
func (in *Input) stillValid() bool {
	o := object(in.Data)
	if o == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil || o.SFrames[0].Section.ABI().ID != in.ABI.ID {
		return false
	}
	in.Version = o.SFrames[0].Section.Version()
	for id := range errorsIn(o) {
		if id < "SF4" {
			return false
		}
	}
	return true
}

// annotated returns the dump of a file's section, as far as it can be read.
func annotated(data []byte) []byte {
	var b bytes.Buffer
	if o := object(data); o != nil && len(o.SFrames) > 0 && model.HeaderSize <= len(o.SFrames[0].Data) {
		if err := dump.Full(&b, o, o.SFrames[0], dump.Options{}); err != nil {
			fmt.Fprintln(&b, err)
		}
	}
	fmt.Fprintf(&b, "\nThe file:\n\n%s", hex.Dump(data[:min(len(data), maxDump)]))
	return b.Bytes()
}

// maxDump bounds the bytes of a file that are dumped.
const maxDump = 1 << 14

// trace adds the places of a crash, and gdb's backtrace if there is gdb.
func (c *campaign) trace(ctx context.Context, s scratch, t *Target, in *Input, data []byte, f *Find, files map[string][]byte) error {
	cmd, err := t.command(archOf(in.ABI), s.dir)
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.input(t.kind()), data, 0o600); err != nil {
		return err
	}
	f.Places = locate(ctx, cmd, s.input(t.kind()), s.output())
	if c.Backtraces {
		if b := backtrace(ctx, cmd, s.input(t.kind()), s.output()); b != nil {
			files["backtrace.txt"] = b
		}
	}
	return nil
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
	return os.Rename(tmp, filepath.Join(finds, id))
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
