package campaign

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Class is a class of inputs.
type Class string

// Classes of inputs.
const (
	Valid   Class = "valid"
	Broken  Class = "broken"  // one known fault
	Mutated Class = "mutated" // any number of unknown faults
)

// Input is an ELF file with a section.
type Input struct {
	Index   int64
	Class   Class
	ABI     model.ABIInfo
	Version model.Version
	Recipe  breaks.Recipe // of the file before it was changed
	Break   string        // of a broken input
	Changes []string      // of a mutated input
	Data    []byte
	Addr    uint64 // of a raw section

}

// maker makes the inputs of a seed. An input depends only on the seed, its index and its shape.
type maker struct{ seed uint64 }

// classes is the order of classes by index.
var classes = [...]Class{Valid, Broken, Mutated, Broken, Mutated, Valid, Broken, Mutated}

// class returns the class of the i-th input.
func (m maker) class(i int64) Class { return classes[i%int64(len(classes))] }

// older reports whether the i-th input for any program may be one for those that do not read PCREL.
func (m maker) older(i int64) bool { return rand.New(rand.NewPCG(m.seed, ^uint64(i))).IntN(2) == 0 }

// maxDraws is how often a base is drawn until the break has a place in it.
const maxDraws = 40

// shape is the form of inputs that a target gets.
type shape struct {
	kind     breaks.Container // a raw section, an object file or an executable
	absolute bool             // plain sections of version 2 lack PCREL, which older programs do not read
}

// input makes the i-th input. Those below 0 are plain sections.
func (m maker) input(i int64, sh shape) (*Input, error) {
	if i < 0 {
		return sh.plain(plainForms()[-1-i], i)
	}
	rnd := rand.New(rand.NewPCG(m.seed, uint64(i)))
	in := &Input{Index: i, Class: m.class(i)}
	round := i / int64(len(classes))
	var name string
	if in.Class == Broken {
		all := breaks.All()
		turn := 3*round + map[int64]int64{1: 0, 3: 1, 6: 2}[i%int64(len(classes))]
		name = all[turn%int64(len(all))].Name
	}
	var err error
	for try := range maxDraws {
		late := try >= maxDraws/2
		in.Recipe = breaks.Recipe{Container: sh.kind}
		wide := !late && in.Class == Valid && sh.kind != breaks.Raw
		switch {
		case wide && round%4 == 3:
			in.Recipe.Config = generator.SwarmWide(rnd)
		case wide && round%8 == 1:
			in.Recipe.Config = sh.drawPlain(rnd)
		default:
			wide = false
			in.Recipe.Config = sh.base(rnd, late || in.Class != Broken && round%2 == 1)
		}
		var s *breaks.Subject
		if s, err = in.Recipe.Subject(); err != nil || wide && (large(s.Plan()) || len(s.Plan().Funcs) == 0) {
			continue
		}
		if name != "" {
			step := breaks.Step{Name: name, Seed: breaks.NewSeed(rnd)}
			if s, _, err = breaks.Lookup(name).Apply(s, step.Seed); err != nil {
				continue
			}
			in.Recipe.Breaks, in.Break = []breaks.Step{step}, name
		}
		in.finish(rnd, s)
		return in, nil
	}
	if name == "" {
		return nil, fmt.Errorf("input %d: no usable section in %d draws: %w", i, maxDraws, err)
	}
	// The break has no place in this container.
	in.Class, in.Break = Mutated, ""
	in.Recipe = breaks.Recipe{Config: sh.base(rnd, false), Container: sh.kind}
	s, err := in.Recipe.Subject()
	if err != nil {
		return nil, fmt.Errorf("input %d: %w", i, err)
	}
	in.finish(rnd, s)
	return in, nil
}

// plainForms returns the versions and ABIs of the plain sections.
var plainForms = sync.OnceValue(func() (all []form) {
	for _, abi := range model.ABIs() {
		for _, v := range model.Versions(nil) {
			if abi.InVersion(v) {
				all = append(all, form{v, abi.ID})
			}
		}
	}
	return all
})

// plain makes the plain section of a version and an ABI. It has no oddity that a reader could reject.
func (sh shape) plain(f form, index int64) (*Input, error) {
	c := generator.Default()
	c.ABI, c.Version, c.Funcs, c.Rows, c.Seed = f.abi, f.version, 2, 2, 1
	if sh.absolute && f.version == model.SFRAME_VERSION_2 {
		c.PCRel = false
	}
	in := &Input{Index: index, Class: Valid, Recipe: breaks.Recipe{Config: c, Container: sh.kind}}
	s, err := in.Recipe.Subject()
	if err == nil {
		in.take(s)
	}
	return in, err
}

// take takes over a file for an input.
func (in *Input) take(s *breaks.Subject) {
	p := s.Plan()
	in.ABI, in.Version, in.Data, in.Addr = p.ABIInfo(), p.Version, s.File(), s.Addr()
}

// finish takes over a file for an input, and changes it if the input is a mutated one: its section, for one in four that
// of a broken file, or one in four files as a whole.
func (in *Input) finish(rnd *rand.Rand, s *breaks.Subject) {
	in.take(s)
	if in.Class != Mutated {
		return
	}
	way := rnd.IntN(4)
	for try := 0; way == 0 && try < maxDraws; try++ {
		all := breaks.All()
		step := breaks.Step{Name: all[rnd.IntN(len(all))].Name, Seed: breaks.NewSeed(rnd)}
		if broken, _, err := breaks.Lookup(step.Name).Apply(s, step.Seed); err == nil {
			s, in.Recipe.Breaks = broken, []breaks.Step{step}
			break
		}
	}
	mut := fuzz.New(rnd.Uint64())
	mut.Max = 1 << 16
	switch {
	case s.Kind() == breaks.Raw:
		in.Data = mut.Section(s.Section(), 4)
	case way == 1:
		in.Data = mut.File(s.File(), 3)
	default:
		in.Data = wrap(in.ABI, s.Kind(), mut.Section(s.Section(), 4), s.Plan().Addr)
	}
	in.Changes = mut.Log()
}

// fingerprintInputs is the number of inputs that stand for all: a simple and a wide one are among them.
const fingerprintInputs = 32

// fingerprint returns a hash of the first inputs and of the list of breaks: it changes with the
// generator and with what is drawn for which target.
func (m maker) fingerprint() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, "older programs share half of the inputs", m.older(0))
	for _, b := range breaks.All() {
		fmt.Fprintln(h, b.Name)
	}
	for i := range int64(fingerprintInputs) {
		in, err := m.input(i, shape{kind: breaks.Rel})
		if err != nil {
			return "", err
		}
		h.Write(in.Data)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// Every fourth valid input in an ELF file has anything that the manual allows, within bounds: series find what takes
// long, and with more code, files have none. Every eighth one is simple. A raw file has no address, without which functions on both sides
// of a section are not in order.
const (
	mostWideFREs = 2000
	mostWideCode = 1 << 18 // bytes
)

// large reports whether a section has more FREs, or functions of more code, than a wide one may have.
func large(p *generator.Plan) bool {
	code := uint64(0)
	for _, f := range p.Funcs {
		code += uint64(f.Size)
	}
	return p.NumFREs() > mostWideFREs || code > mostWideCode
}

// drawPlain draws the knobs of a plain section whose only function is one that no tool writes, such as one without FREs. In a section with other
// oddities, programs stop at those. Version 1 is drawn more often than in other sections, as only old programs read it.
func (sh shape) drawPlain(rnd *rand.Rand) generator.Config {
	c := sh.base(rnd, false)
	c.Funcs, c.Wide = 1, 100
	if rnd.IntN(4) == 0 && model.LookupABI(c.ABI).InVersion(model.SFRAME_VERSION_1) {
		c.Version = model.SFRAME_VERSION_1
	}
	return c
}

// base draws the knobs of a section: as a compiler would make it, of any version and ABI, or
// in a swarm.
func (sh shape) base(rnd *rand.Rand, swarm bool) generator.Config {
	if swarm {
		return generator.Swarm(rnd)
	}
	c := generator.Default()
	c.Seed = int64(rnd.Uint64() >> 1)
	c.Funcs, c.Rows = 1+rnd.Int64N(5), 1+rnd.Int64N(5)
	abis := model.ABIs()
	abi := abis[rnd.IntN(len(abis))]
	c.ABI, c.Version = abi.ID, model.SFRAME_VERSION_2+model.Version(rnd.Int64N(2))
	if rnd.IntN(6) == 0 && abi.InVersion(model.SFRAME_VERSION_1) {
		c.Version = model.SFRAME_VERSION_1
	}
	if sh.absolute && c.Version == model.SFRAME_VERSION_2 {
		c.PCRel = false
	}
	switch rnd.IntN(oneLarge) { // counts that need more than 8 bits
	case 0:
		c.Funcs, c.Rows, c.Long, c.FuncSize = 1, aboveByte+rnd.Int64N(aboveByte), 100, 1<<14
	case 1:
		c.Funcs, c.Rows = aboveByte+rnd.Int64N(aboveByte), 1
	}
	return c
}

// Of oneLarge plain sections, one has a function with more than aboveByte rows, and one as many functions.
const (
	oneLarge  = 40
	aboveByte = 260
)

// wrap returns the smallest file around a section's bytes.
func wrap(abi model.ABIInfo, kind breaks.Container, data []byte, addr uint64) []byte {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	typ := elf.ET_EXEC
	if kind == breaks.Rel {
		typ = elf.ET_REL
	}
	return shrink.Around(abi, typ, data, addr, s)
}

// object reads a file; nil if it is not one object.
func object(data []byte) *reader.Object {
	var obj *reader.Object
	n := 0
	err := reader.ScanReader("input", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		obj, n = o, n+1
		return nil
	})
	if err != nil || n != 1 {
		return nil
	}
	return obj
}
