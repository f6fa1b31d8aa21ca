package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// rounds is how often each program runs on each file.
const rounds = 3

// replayAll runs all programs on all files, or on those that have no replay, and writes what they do.
func replayAll(dir string, added bool) error {
	tools := os.Getenv("SFRAME_TOOLS")
	if tools == "" {
		return errors.New("SFRAME_TOOLS names no toolchain directory (see scripts/toolchains)")
	}
	c, err := corpus.LoadConsumers(dir)
	if err != nil {
		return err
	}
	all, old := corpus.Replays{}, corpus.Replays{}
	if added {
		if old, err = corpus.LoadReplays(dir); err != nil {
			return err
		}
	}
	inputs, err := os.MkdirTemp("", "replay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(inputs)
	if err := corpus.UnpackConsumers(dir, inputs); err != nil {
		return err
	}
	var files []string
	for _, f := range c.Finds {
		if ext := filepath.Ext(f.File); ext == ".elf" || ext == ".o" || ext == ".sframe" {
			if all[f.File] = old[f.File]; all[f.File] != nil {
				continue
			}
			files = append(files, filepath.Join(inputs, f.File))
			all[f.File] = &corpus.Replay{Fails: map[string]string{}}
		}
	}
	for _, t := range c.Targets {
		target, err := newTarget(t, tools)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", t.Name, err)
			continue
		}
		if err := replay(all, target, t.Name, readableFiles(files, target)); err != nil {
			return err
		}
	}
	return corpus.WriteJSON(filepath.Join(dir, corpus.ReplaysName), " ", all)
}

// trees are the variables that name source trees, by the kind of the library.
var trees = map[string]string{"libsframe": "SFRAME_BINUTILS", "linux": "SFRAME_LINUX", "linux-arm64": "SFRAME_LINUX", "glibc": "SFRAME_GLIBC"}

// newTarget returns a target of the manifest.
func newTarget(t corpus.ConsumerTarget, tools string) (*campaign.Target, error) {
	limits := campaign.Limits{Timeout: 5 * time.Second, Memory: 2 << 30}
	kind, path, ok := strings.Cut(t.Command, "=")
	switch {
	case !ok:
		return campaign.NewTarget(t.Name+"="+filepath.Join(tools, "bin", t.Command), limits)
	case strings.HasPrefix(filepath.Base(path), "libsframe.so"):
		return campaign.NewLibrary(kind+"="+filepath.Join(tools, "sid/usr/lib/x86_64-linux-gnu", path), limits)
	case os.Getenv(trees[kind]) != "":
		return campaign.NewLibrary(kind+"="+os.Getenv(trees[kind]), limits)
	}
	return nil, fmt.Errorf("no source tree for %s", t.Command)
}

// readableFiles returns the files that a target reads: a linker object files, others all but these.
func readableFiles(files []string, t *campaign.Target) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool {
		return (filepath.Ext(f) == ".o") != t.Linker
	})
}

// replay adds what a target does with files.
func replay(all corpus.Replays, target *campaign.Target, name string, files []string) error {
	for round := range rounds {
		trials, err := campaign.Try(context.Background(), []*campaign.Target{target}, files)
		if err != nil {
			return err
		}
		for _, x := range trials {
			r := all[filepath.Base(x.File)]
			var what string
			if x.Failed() {
				what = string(x.Kind) + " " + x.Key
			}
			if round > 0 && r.Fails[name] != what && !slices.Contains(r.Varies, name) {
				r.Varies = append(r.Varies, name)
			}
			if what != "" {
				r.Fails[name] = what
			}
			if x.Overwrites() {
				r.Writes = append(r.Writes, name)
			}
		}
	}
	for _, r := range all {
		r.Writes = slices.Compact(r.Writes)
	}
	return nil
}
