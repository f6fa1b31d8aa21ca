package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// Outcome is the end of a run, or a disagreement about a section.
type Outcome string

// Outcomes.
const (
	Accepts Outcome = "accepts" // no message
	Notices Outcome = "notices" // a message, exit status 0
	Rejects Outcome = "rejects" // another exit status
	Crash   Outcome = "crash"
	Hang    Outcome = "hang"
	Memory  Outcome = "memory"
	Slow    Outcome = "slow"
)

// Disagreements.
const (
	RejectsValid Outcome = "rejects-valid" // a valid section of a form that the target normally reads
	Misreads     Outcome = "misreads"      // the dump of a valid section differs from the section
	Worsens      Outcome = "worsens"       // a linker's output has faults that its input does not have
	Silent       Outcome = "silent"        // an unusable section is accepted without a message
	Disagree     Outcome = "disagree"      // two targets print different contents
)

// Bucket is one distinct failure or disagreement of a target.
type Bucket struct {
	Target string  `json:"target"`
	Kind   Outcome `json:"kind"`
	Key    string  `json:"key"`
	With   string  `json:"with,omitempty"` // the target with the other result
}

// ID returns a name for the bucket, which is a valid file name.
func (b Bucket) ID() string {
	text := b.Target + "\x00" + string(b.Kind) + "\x00" + b.Key
	if b.With != "" {
		text += "\x00" + b.With
	}
	sum := sha256.Sum256([]byte(text))
	return b.Target + "-" + string(b.Kind) + "-" + hex.EncodeToString(sum[:4])
}

// ending is the outcome of a run, with what tells it from others.
type ending struct {
	outcome Outcome
	key     string   // of failures: what distinguishes them
	message string   // the first complaint, normalized
	frames  []string // of a crash, from the innermost on

	allocated []string // frames of the stack that allocated the memory
}

// failure returns the bucket of what counts as a find.
func (t *Target) failure(v ending) Bucket { return Bucket{t.Name, v.outcome, v.key, ""} }

// isCrash reports whether the kind is an end of the program that it does not choose.
func (k Outcome) isCrash() bool { return slices.Contains([]Outcome{Crash, Hang, Memory, Slow}, k) }

// spot is where a program crashes.
type spot struct {
	places []string // of the instruction and its callers
	access string   // what a bad access was, badRead or badWrite; "" if that is unknown
}

// What a bad access was, in the words of AddressSanitizer.
const (
	badRead  = "caused by a READ"
	badWrite = "caused by a WRITE"
)

// Bounds of what is in proportion to the size of an input, besides what a plain section takes.
const (
	freeMemory    = 64 << 20
	memoryPerByte = 1000
	freeTime      = 500 * time.Millisecond
	timePerByte   = 2 * time.Microsecond
	timesPlain    = 20
)

// judge returns the ending of a run on an input. For a crash without a message it
// runs the target again to find the place.
func (s scratch) judge(ctx context.Context, t *Target, in *Input, r *run) ending {
	size := len(in.Data)
	text := slices.Concat(r.Stderr, r.Stdout[:min(len(r.Stdout), maxText)])
	if v, ok := internalFailure(text); ok {
		return v
	}
	signal := r.Signal
	if signal == 0 && r.Exit > 128 && r.Exit <= 128+31 { // of a shell
		signal = r.Exit - 128
	}
	switch {
	case r.Timeout:
		return ending{outcome: Hang, key: "timeout"}
	case program.SignalName(signal) == "SIGXFSZ":
		return ending{outcome: Memory, key: "output above the limit"}
	case signal != 0:
		v := ending{outcome: Crash, key: signalKey(signal)}
		if at := s.locate(ctx, t, in); len(at.places) > 0 {
			v.key += " at " + placeKey(at.places)
			v.message, v.frames = at.access, at.places
		}
		return v
	case r.RSS > max(t.probed.rss, ownRSS())+freeMemory+int64(size)*memoryPerByte:
		return ending{outcome: Memory, key: "out of proportion"}
	case r.Time > timesPlain*t.probed.time+freeTime+time.Duration(size)*timePerByte:
		return ending{outcome: Slow, key: "out of proportion"}
	}
	v := ending{outcome: Accepts}
	for _, line := range complaints(r.Stdout, r.Stderr, r.dir) {
		if !t.probed.noise[line] {
			v.outcome, v.message = Notices, line
			break
		}
	}
	if r.Exit != 0 && r.Exit != t.probed.exit {
		v.outcome = Rejects
		if v.message == "" {
			v.message = fmt.Sprintf("exit status %d", r.Exit)
		}
	}
	return v
}

// locate runs a target on an input again, which makes it crash, and returns where it does.
func (s scratch) locate(ctx context.Context, t *Target, in *Input) spot {
	p, err := s.runDir(t, in.Data)
	if err != nil {
		return spot{}
	}
	defer p.remove()
	c, err := t.command(in.ABI.Arch, p.dir)
	if err != nil {
		return spot{}
	}
	return locate(ctx, c, p.in, p.out)
}

// placeKey returns the place of a crash for its key: with the callers, if functions only read a number.
func placeKey(places []string) string {
	for i, p := range places {
		_, name, _ := strings.Cut(p, " ")
		name, _, _ = strings.Cut(name, "+")
		if name == "" || !programs().helper.MatchString(name) {
			return strings.Join(places[:i+1], " from ")
		}
	}
	return strings.Join(places, " from ")
}

// signalKey returns what a signal is called in keys. A bad access is SIGBUS or SIGSEGV, as memory
// happens to be laid out.
func signalKey(signal int) string {
	if name := program.SignalName(signal); name != "SIGBUS" {
		return name
	}
	return "SIGSEGV"
}

// ownRSS returns the most memory that this process had in use, in bytes: a command that it starts
// begins with that.
func ownRSS() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kib int64
	for line := range strings.Lines(string(b)) {
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			break
		}
	}
	return kib << 10
}
