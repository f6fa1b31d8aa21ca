package build

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
)

// kinds visits the versions and ABIs that there are, with a small section's knobs. Version 2 comes with and
// without PCREL, which is of errata 1: readers from before that refuse every section with it.
func kinds(visit func(name string, c generator.Config)) {
	for _, v := range model.Versions(nil) {
		for _, abi := range model.ABIs() {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.Version, c.ABI, c.Funcs, c.Rows, c.FuncSize = v, abi.ID, 3, 5, 96
			name := fmt.Sprintf("v%d-%s", v, generator.LookupKnob("abi").Format(int64(c.ABI)))
			visit(name, c)
			if v == model.SFRAME_VERSION_2 {
				c.PCRel = false
				visit(name+noPCRel, c)
			}
		}
	}
}

// noPCRel is how the names of kinds without PCREL end.
const noPCRel = "-no-pcrel"

// settings are the values of knobs that the suite has a section for.
var settings = []struct {
	name, knobs string
	lookUps     bool
}{
	{"plain", "", true}, {"no-functions", "funcs=0", false}, {"one-function", "funcs=1", false}, {"many-functions", "funcs=12 rows=2", false},
	{"many-rows", "funcs=1 rows=24 long=100 func-size=4096", false}, {"large-frames", "max-frame=1048576", false},
	{"wide-frames", "max-frame=40000", false}, {"unsorted", "sorted=false", true}, {"from-the-section", "pcrel=false", true},
	{"frame-pointer-flag", "frame-pointer=true", false}, {"high", "high=true", true}, {"code-before", "distance=-65536", true},
	{"code-around", "around=50 distance=65536", true}, {"far-apart", "gap=1048576", true}, {"base-register", "fp=100", false},
	{"no-frame-pointers", "fp=0", false}, {"no-return", "noreturn=100", false}, {"outermost", "outermost=100", true},
	{"late-outermost", "late-outermost=100", true}, {"stubs", "stubs=100", true}, {"stub-rows", "stubs=100 stub-rows=4 stub-size=32", true},
	{"odd-stubs", "stubs=100 stub-rows=3 stub-size=24", true}, {"signal", "signal=100", false}, {"flexible", "flexible=100", true},
	{"other-base", "flexible=100 other-base=100", false}, {"rare", "flexible=100 rare=100 registers=50", false}, {"empty", "empty=100", true},
	{"signed", "pauth=100 key-b=0", false}, {"signed-b", "pauth=100 key-b=100", false}, {"registers", "registers=100", false},
	{"padding", "padding=100", false}, {"addr2", "fre-type=addr2", true}, {"addr4", "fre-type=addr4", true}, {"words2", "word-size=2", false},
	{"words4", "word-size=4", false}, {"repeats", "repeats=60", false}, {"auxiliary-header", "aux=8", false}, {"fde-gap", "fde-gap=8", false},
	{"fre-gap", "fre-gap=8", false}, {"trailing", "trailing=8", false}, {"reverse", "reverse=true", true}, {"shared", "shared=60", true},
	{"fixed-fp", "fixed-fp=-16", false}, {"wide", "wide=100", true},
}

// knobs adds a section for each of the settings, version and ABI, and look-ups in some.
func (b *builder) knobs() {
	kinds(func(kind string, base generator.Config) {
		for _, x := range settings {
			c := base
			for _, s := range strings.Fields(x.knobs) {
				name, text, _ := strings.Cut(s, "=")
				k := generator.LookupKnob(name)
				v, err := k.Parse(text)
				if err == nil {
					err = k.Put(&c, v)
				}
				b.note(s, err)
			}
			name := kind + "/" + x.name
			s, err := encoded(c)
			if b.note(name, err) {
				return
			}
			before := len(b.cases)
			b.add("valid/"+name, bytesOf(s), s.Addr(), nil)
			if x.lookUps && len(b.cases) > before && (x.knobs == "" || !strings.HasSuffix(kind, noPCRel)) {
				b.lookUps(name, bytesOf(s), s.Addr())
			}
		}
	})
}

// cornerDraws is the number of sections from which the smallest ones for the classes of
// values are taken.
const cornerDraws = 12_000

// corners adds a small section for each class of values of each field.
func (b *builder) corners() {
	rnd, t := rand.New(rand.NewPCG(1, 0x7375_6974_65)), newCorners()
	least := make([][]*model.Section, len(t.fields))
	for i, f := range t.fields {
		least[i] = make([]*model.Section, len(f.Classes))
	}
	for range cornerDraws {
		c := generator.SwarmWide(rnd)
		c.Funcs, c.Rows, c.Aux = min(c.Funcs, 3), min(c.Rows, 4), min(c.Aux, int64(rnd.IntN(256)))
		s, err := encoded(c)
		if err != nil {
			continue // no room for fewer functions
		}
		t.add(s)
		for i, f := range t.fields {
			for k := range f.Classes {
				c := &f.Classes[k]
				if old := &least[i][k]; c.Count > 0 && (*old == nil || s.Size() < (*old).Size()) {
					*old = s
				}
				c.Count = 0
			}
		}
	}
	for i, f := range t.fields {
		for k, s := range least[i] {
			if s == nil {
				continue
			}
			slug := strings.NewReplacer(", ", "-", " ", "-", "=", "/", "_", "-").Replace(f.Name + "=" + f.Classes[k].Name())
			b.add("corner/"+slug, bytesOf(s), s.Addr(), named(s.Version(), strings.Fields(fieldClauses[f.Name])...))
		}
	}
}

// breakSeeds is the number of sections that are tried for a break.
const breakSeeds = 12

// breaks adds a section with each break, for each version and ABI that has a place for it.
func (b *builder) breaks() {
	kinds(func(kind string, c generator.Config) {
		for _, x := range breaks.All() {
			for seed := range int64(breakSeeds) {
				c := c
				c.Seed, c.Stubs, c.Flexible, c.Signal, c.Pauth = 1+seed, generator.Share(30*(seed%3)), generator.Share(50*(seed%2)), generator.Share(25*(seed%4)), 40
				s, err := breaks.Recipe{Config: c, Container: breaks.Raw}.Subject()
				if b.note(kind, err) {
					return
				}
				s, e, err := x.Apply(s, uint64(seed)+1)
				if err != nil || s.Limit() > 0 || s.Memory() > 0 {
					continue
				}
				b.add("break/"+kind+"/"+x.Name, s.Section(), s.Addr(), ofRules(c.Version, []string{e.Rule}))
				break
			}
		}
	})
}
