package trace

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/cmd/internal/profile"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// ProfileReport is the JSON that [WriteProfile] writes.
type ProfileReport struct {
	profileHead
	Samples []ProfileSample `json:"samples"`
	profileTail
}

// ProfileSchema names the form of the JSON output for a profile.
const ProfileSchema = "sframe-lint/trace-profile/1"

type profileHead struct {
	Schema  string `json:"schema"`
	Profile string `json:"profile"`
}

type profileTail struct {
	Counts map[Verdict]int64 `json:"counts"` // of samples
	Unused []UnusedFile      `json:"unused,omitempty"`
}

// UnusedFile is a file of the profiled programs that was not used.
type UnusedFile struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

// place is where samples part, all by the same verdict.
type place struct {
	verdict Verdict
	module  string
	address string
	message string
}

type placeCount struct {
	n     int64
	first ProfileSample
}

// ProfileResult says what was written.
type ProfileResult struct {
	Faulty   int64 // samples for which SFrame data may be at fault
	Samples  int64
	Compared int64 // samples of which a frame was compared or looked up
	Err      error // of the budget, after which the report ends early
}

// WriteProfile compares the samples of a profile with SFrame data: by the registers and the stack
// that a sample has, or, where it has none, by looking up the row of each frame. The text lists the
// places where they part, the JSON each sample. Its error is that of the writer or the text.
func WriteProfile(w io.Writer, in io.Reader, files corefile.Options, opts Options) (r ProfileResult, err error) {
	p, err := newProfiler(files, opts)
	if err != nil {
		return r, err
	}
	buf := bufio.NewWriterSize(w, 1<<16)
	var js *jsonForm
	if opts.JSON {
		js = &jsonForm{w: buf}
		js.fields("", profileHead{ProfileSchema, escape.UTF8(opts.Name)})
		js.put(",\n  \"samples\": [")
	}
	counts, places := map[Verdict]int64{}, map[place]*placeCount{}
	text := profile.NewReader(in, opts.Budget)
	for {
		s, err := text.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		var v ProfileSample
		if err == nil {
			v, err = p.judge(s)
		}
		if err != nil && opts.Budget.Err() == nil && len(opts.Budget.Exceeded()) == 0 {
			return r, err
		}
		if err != nil {
			r.Err = err
			break
		}
		if js != nil {
			if r.Samples > 0 {
				js.put(",")
			}
			js.put("\n    ")
			_, _ = js.w.Write(js.value("    ", &v))
		}
		r.Samples++
		counts[v.Verdict] += v.Count
		if v.Verdict != Unknown {
			r.Compared++
		}
		if v.Verdict.Faulty() {
			r.Faulty += v.Count
		}
		note(places, &v)
	}
	t := profileTail{Counts: counts}
	for _, path := range slices.Sorted(maps.Keys(p.wrong)) {
		t.Unused = append(t.Unused, UnusedFile{clean(path), escape.UTF8(escape.Cut(p.wrong[path].Error(), escape.MaxMessage))})
	}
	if js != nil {
		js.put("\n  ],")
		_, _ = js.w.Write(js.value("", t)[1:]) // without the brace
		js.put("\n")
	} else {
		writePlaces(buf, places, &t)
	}
	return r, buf.Flush()
}

// note counts a sample at its place.
func note(places map[place]*placeCount, v *ProfileSample) {
	k := place{verdict: v.Verdict}
	if v.Verdict == Agrees || v.Verdict == Cut || v.Verdict == HasRows {
		return
	}
	if v.At != nil {
		k.module, k.address, k.message = v.At.Module, v.At.Address, v.Message
	}
	c := places[k]
	if c == nil {
		if len(places) == maxPlaced {
			return // the totals have it
		}
		c = &placeCount{first: *v}
		places[k] = c
	}
	c.n += v.Count
}

// said has the words for the verdicts, in the order of the summary.
var said = []struct {
	v    Verdict
	text string
}{
	{Agrees, "both agree"}, {Cut, "both agree as far as the stack was copied"}, {Differs, "the callers differ"},
	{Stops, "SFrame data end first"}, {Longer, "the profiler's stack ends first"}, {HasRows, "all frames have rows"},
	{NoRow, "a frame has no row"}, {Unknown, "not compared"},
}

// writePlaces writes the places, those of most samples first, and the totals.
func writePlaces(w io.Writer, places map[place]*placeCount, t *profileTail) {
	all := slices.SortedFunc(maps.Values(places), func(a, b *placeCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.first.Line, b.first.Line))
	})
	for _, c := range all {
		v := &c.first
		fmt.Fprintf(w, "%s: %s\n", samples(c.n), v.says())
		if v.Profiler != "" {
			fmt.Fprintf(w, "    the profiler goes on with %s\n", escape.Printable(v.Profiler))
		}
		if v.SFrame != nil {
			fmt.Fprintf(w, "    SFrame data lead to %s\n", v.SFrame.where())
		}
		if v.Verdict == Differs && v.Message != "" {
			fmt.Fprintf(w, "    %s\n", escape.Printable(v.Message))
		}
		fmt.Fprintf(w, "    first: line %d, frame %d", v.Line, v.Frame)
		if v.Title != "" {
			fmt.Fprintf(w, " of %s", escape.Printable(v.Title))
		}
		fmt.Fprintln(w)
	}
	for _, f := range t.Unused {
		fmt.Fprintf(w, "%s: %s\n", escape.Printable(f.Path), escape.Printable(f.Error))
	}
	if len(all)+len(t.Unused) > 0 {
		fmt.Fprintln(w)
	}
	var n int64
	for _, x := range said {
		if c := t.Counts[x.v]; c > 0 {
			fmt.Fprintf(w, "%8d  %s\n", c, x.text)
			n += c
		}
	}
	fmt.Fprintf(w, "%8d  samples\n", n)
}

func samples(n int64) string {
	if n == 1 {
		return "1 sample"
	}
	return fmt.Sprintf("%d samples", n)
}

// says says in words where a sample parts from SFrame data.
func (v *ProfileSample) says() string {
	at := "at the start"
	if v.At != nil {
		at = "at " + v.At.where()
	}
	switch v.Verdict {
	case Differs:
		if v.SFrame != nil && v.At == nil {
			return "the profiler's first frame is not at the PC of the registers"
		}
		return at + " the callers differ"
	case Longer:
		return at + " the profiler's stack ends"
	case Unknown:
		return at + " nothing is compared: " + escape.Printable(v.Message)
	}
	return at + " the SFrame data end: " + escape.Printable(v.Message)
}

// where names the code of a frame.
func (f *Frame) where() string {
	switch {
	case f.Function != "":
		return fmt.Sprintf("%s+0x%x (%s)", escape.Printable(f.Function), f.Offset, escape.Printable(cmp.Or(f.Module, "no module")))
	case f.Module != "":
		return fmt.Sprintf("%s (%s)", f.Address, escape.Printable(f.Module))
	}
	return f.PC
}
