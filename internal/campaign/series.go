package campaign

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// Point is the processor time of a target for a section of some size, less that for the smallest
// one.
type Point struct {
	N       int64   `json:"n"` // functions or FREs
	Seconds float64 `json:"seconds"`
}

// scale is a kind of sections that exists in any size.
type scale struct {
	grows string // "functions" or "FREs"
	set   func(c *generator.Config, n int64)
	fault string // break, "" for none
}

// scales are those that each target is measured with.
var scales = []scale{
	{"functions", manyFunctions, ""},
	{"FREs", manyRows, ""},
	{"functions", func(c *generator.Config, n int64) { manyFunctions(c, n); c.Sorted = 0 }, ""},
	{"functions", manyFunctions, "unsorted"},
	{"FREs", manyRows, "disorder"},
}

func manyFunctions(c *generator.Config, n int64) { c.Funcs, c.Rows, c.FuncSize, c.Gap = n, 1, 64, 0 }

func manyRows(c *generator.Config, n int64) {
	c.Funcs, c.Rows, c.Long, c.FuncSize = 1, n, 100, max(512, 16*n)
}

// Sizes of a series, each twice the one before.
const (
	firstSize = 500
	lastSize  = 64000
	doubtful  = 8000 // from which size on a series ends if it cannot become long enough
)

// A series is a find if the exponent of its growth is above maxExponent over the last doublings, and
// its last time is at least longEnough. It ends when a run takes tooLong.
const (
	maxExponent = 1.7
	longEnough  = 100 * time.Millisecond
	tooLong     = 800 * time.Millisecond
	shortest    = 2 * time.Millisecond // that is measured
)

// recipe returns the recipe of a section of a size that the target reads: of the newest version, if
// possible for the first of the architectures. It returns false if the target reads none.
func (sc scale) recipe(t *Target, n int64) (r breaks.Recipe, ok bool) {
	c := generator.Default()
	c.Stubs, c.Flexible, c.Seed = 0, 0, 1
	for _, abi := range model.ABIs() {
		for _, v := range model.Versions(nil) {
			newer := int64(v) > c.Version || int64(v) == c.Version && abi.Arch == model.Arches()[0]
			if t.probed.reads[form{v, abi.ID}] && (!ok || newer) {
				c.ABI, c.Version, ok = int64(abi.ID), int64(v), true
			}
		}
	}
	if t.probed.absolute && c.Version == int64(model.SFRAME_VERSION_2) {
		c.PCRel = 0
	}
	sc.set(&c, n)
	for c.Seed < mostSeeds && sc.grows == "FREs" && !hasRows(c, n) { // the size of a function is drawn
		c.Seed++
	}
	r = breaks.Recipe{Config: c, Container: t.kind()}
	if sc.fault != "" {
		r.Breaks = []breaks.Step{{Name: sc.fault, Seed: 1}}
	}
	return r, ok
}

// mostSeeds bounds the seeds that are tried for a function with enough FREs.
const mostSeeds = 200

// hasRows reports whether the function of a configuration has n FREs.
func hasRows(c generator.Config, n int64) bool {
	p, err := generator.Generate(c)
	return err == nil && int64(len(p.Funcs[0].Rows)) == n
}

// measure returns the time that a target needs for a recipe's file, the smaller one of two runs.
// It returns false if the target does not end in the usual ways.
func (s scratch) measure(ctx context.Context, t *Target, r breaks.Recipe) (time.Duration, bool, error) {
	subject, err := r.Replay()
	if err != nil {
		return 0, false, nil // no place for the break
	}
	least := time.Duration(math.MaxInt64)
	for range 2 {
		o, err := s.run(ctx, t, subject.Plan().ABIInfo().Arch, subject.File())
		if err != nil {
			return 0, false, err
		}
		if o.Timeout || o.Signal != 0 {
			return 0, false, nil
		}
		if least = min(least, o.Time); least > tooLong {
			break
		}
	}
	return least, true, nil
}

// series measures a target on growing sections.
func (s scratch) series(ctx context.Context, t *Target, sc scale) (points []Point, err error) {
	r, ok := sc.recipe(t, 4)
	if !ok {
		return nil, nil
	}
	start, ok, err := s.measure(ctx, t, r)
	for n := int64(firstSize); ok && err == nil && n <= lastSize; n *= 2 {
		var took time.Duration
		r, _ := sc.recipe(t, n)
		if took, ok, err = s.measure(ctx, t, r); !ok || err != nil {
			break
		}
		took = max(0, took-start)
		points = append(points, Point{n, took.Seconds()})
		most := took.Seconds() * math.Pow(lastSize/float64(n), 2)
		if took > tooLong && len(points) > 2 || took > t.limits.Timeout/4 || n >= doubtful && most < longEnough.Seconds() {
			break
		}
	}
	return points, err
}

// exponent returns the exponent of a series over its last two or three doublings: 1 if time grows with the
// size, 2 if it grows with its square. It returns 0 if the times are too short.
func exponent(points []Point) float64 {
	last := points[max(0, len(points)-4):]
	for len(last) > 0 && last[0].Seconds < shortest.Seconds() {
		last = last[1:]
	}
	n := len(last) - 1
	if n < 2 || last[n].Seconds < longEnough.Seconds() {
		return 0
	}
	return math.Log2(last[n].Seconds/last[0].Seconds) / float64(n)
}

// Grows reports whether the series of a find grows fast enough to be one.
func (f *Find) Grows() bool { return exponent(f.Series) > maxExponent }

// seriesText writes a series in a line.
func seriesText(points []Point, grows string) string {
	var all []string
	for _, p := range points {
		all = append(all, fmt.Sprintf("%d %s: %.3f s", p.N, grows, p.Seconds))
	}
	return fmt.Sprintf("exponent %.1f; %s", exponent(points), strings.Join(all, ", "))
}

// timeForSeries is the part of a campaign's time in which series begin.
const timeForSeries = 5

// nextSeries returns a target and a scale that were not measured, and the number that stands for
// them in the journal.
func (c *campaign) nextSeries(ctx context.Context) (t *Target, scale int, number int64) {
	if c.Only != "" || c.Shard != 0 {
		return nil, 0, 0
	}
	for ctx.Err() == nil && (c.Time == 0 || time.Since(c.begun) < c.Time/timeForSeries) {
		k := c.nextScale.Add(1) - 1
		if k >= int64(len(c.Targets)*len(scales)) {
			break
		}
		c.mu.Lock()
		done := c.journal.done[-1-k]
		c.mu.Unlock()
		if t := c.Targets[int(k)/len(scales)]; !done && t.lib == nil {
			return t, int(k) % len(scales), -1 - k
		}
	}
	return nil, 0, 0
}

// measureAll measures targets until there are no more series.
func (c *campaign) measureAll(ctx context.Context, s scratch) error {
	for {
		t, k, number := c.nextSeries(ctx)
		if t == nil {
			return nil
		}
		points, err := s.series(ctx, t, scales[k])
		if err != nil {
			return err
		}
		b := &batch{Number: number}
		if exponent(points) > maxExponent {
			grows := scales[k].grows
			// The first scale of a kind has the smallest index.
			b.Hits = []*hit{{Bucket{t.Name, Quadratic, grows, ""}, 1, int64(k - len(scales)), seriesText(points, grows), "", points}}
		}
		if err := c.commit(b); err != nil {
			return err
		}
	}
}

// quadratic returns the bucket of a series that explains a run of such a length.
func (c *campaign) quadratic(t *Target, in *Input, took time.Duration) (verdict, bool) {
	o := object(in.Data)
	if o == nil || len(o.SFrames) == 0 || o.SFrames[0].Section == nil {
		return verdict{}, false
	}
	section := o.SFrames[0].Section
	size := map[string]float64{"functions": float64(section.NumFDEs())}
	for f := range section.FDEs() {
		size["FREs"] = max(size["FREs"], float64(f.NumFREs()))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, grows := range []string{"functions", "FREs"} {
		h := c.journal.buckets[Bucket{t.Name, Quadratic, grows, ""}]
		if h == nil || len(h.Series) == 0 {
			continue
		}
		last := h.Series[len(h.Series)-1]
		if last.Seconds*math.Pow(size[grows]/float64(last.N), 2) > took.Seconds()/4 {
			return verdict{Quadratic, grows, "", nil}, true
		}
	}
	return verdict{}, false
}

// findSeries writes the directory of a series: the recipe of the smallest section that takes long
// enough.
func (c *campaign) findSeries(t *Target, h *hit) error {
	k := int(h.Input) + len(scales)
	long := slices.IndexFunc(h.Series, func(p Point) bool { return p.Seconds >= longEnough.Seconds() })
	if k < 0 || k >= len(scales) || long < 0 {
		return nil
	}
	r, ok := scales[k].recipe(t, h.Series[long].N)
	if !ok {
		return nil // the target has changed
	}
	abi := model.LookupABI(model.ABI(r.Config.ABI))
	f := &Find{ID: h.ID(), Bucket: h.Bucket, Message: h.Message, Version: t.Version, Seed: c.Seed, Input: h.Input,
		Class: Valid, Recipe: &r, ABI: abi.Spec, File: "recipe.json", Series: h.Series}
	if len(r.Breaks) > 0 {
		f.Class = Broken
	}
	f.Command = strings.ReplaceAll(t.Command, archMark, abi.Arch)
	recipe := must(indented(r))
	f.Size = len(recipe)
	return c.publish(f.ID, map[string][]byte{f.File: recipe, "report.json": must(indented(f)), "report.md": f.markdown(nil)})
}
