package campaign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Class is a class of inputs.
type Class string

// Classes of inputs.
const (
	Valid   Class = "valid"
	Broken  Class = "broken"  // one known fault
	Mutated Class = "mutated" // any number of unknown ones
)

// Input is an ELF file with a section.
type Input struct {
	Index   int64
	Class   Class
	ABI     model.ABIInfo
	Version model.Version
	Recipe  breaks.Recipe // makes the file, before it was changed
	Break   string        // of a broken input
	Changes []string      // of a mutated one
	Data    []byte
	Addr    uint64 // of a raw section

	way     string // of mutation
	refused bool   // a target has refused the last file that was tried for the cause, or complained about it
}

// maker makes the inputs of a seed. An input depends only on the seed, its index, the container and the
// yields.
type maker struct {
	seed   uint64
	only   Class   // "" for all
	yields *yields // of earlier inputs, nil for none
}

// classes is the order of classes by index.
var classes = [...]Class{Valid, Broken, Mutated, Broken, Mutated, Valid, Broken, Mutated}

// class returns the class of the i-th input.
func (m maker) class(i int64) Class { return cmp.Or(m.only, classes[i%int64(len(classes))]) }

// older reports whether the i-th input for any program may be one for those that do not read PCREL.
func (m maker) older(i int64) bool { return rand.New(rand.NewPCG(m.seed, ^uint64(i))).IntN(2) == 0 }

// maxDraws is how often a base is drawn until the break has a place in it.
const maxDraws = 40

// shape is the form of inputs that a target gets.
type shape struct {
	kind     breaks.Kind // a raw section, an object file or an executable
	absolute bool        // plain sections of version 2 lack PCREL, which older programs do not read
}

// input makes the i-th input.
func (m maker) input(i int64, sh shape) (*Input, error) {
	rnd := rand.New(rand.NewPCG(m.seed, uint64(i)))
	in := &Input{Index: i, Class: m.class(i)}
	round := i / int64(len(classes))
	var name string
	if in.Class == Broken {
		all := breaks.All()
		turn := 3*round + map[int64]int64{1: 0, 3: 1, 6: 2}[i%int64(len(classes))]
		if m.only != "" {
			turn = i
		}
		name = all[turn%int64(len(all))].Name
		if m.yields != nil && rnd.IntN(2) == 0 {
			name = m.yields.draw(rnd, sh.kind, breakNames())
		}
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
			in.Recipe.Config = sh.simple(rnd)
		default:
			wide = false
			in.Recipe.Config = sh.base(rnd, late || in.Class != Broken && round%2 == 1)
		}
		var s *breaks.Subject
		if s, err = in.Recipe.Subject(); err != nil || wide && large(s.Plan()) {
			continue
		}
		if name != "" {
			step := breaks.Step{Name: name, Seed: breaks.NewSeed(rnd)}
			if s, _, err = breaks.Lookup(name).Apply(s, step.Seed); err != nil {
				continue
			}
			in.Recipe.Breaks, in.Break = []breaks.Step{step}, name
		}
		m.take(rnd, in, s)
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
	m.take(rnd, in, s)
	return in, nil
}

// take takes over a file for an input, and changes it if the input is a mutated one.
func (m maker) take(rnd *rand.Rand, in *Input, s *breaks.Subject) {
	p := s.Plan()
	in.ABI, in.Version, in.Data, in.Addr = p.ABIInfo(), p.Version, s.File(), s.Addr()
	if in.Class != Mutated {
		return
	}
	if in.way = m.way(rnd, s.Kind()); in.way == mutateBroken {
		names := breakNames()
		for range maxDraws {
			step := breaks.Step{Name: m.yields.draw(rnd, s.Kind(), names), Seed: breaks.NewSeed(rnd)}
			if broken, _, err := breaks.Lookup(step.Name).Apply(s, step.Seed); err == nil {
				s, in.Recipe.Breaks = broken, []breaks.Step{step}
				break
			}
		}
	}
	in.mutate(rnd, s)
}

// way draws how a file is mutated: three times of four its section alone.
func (m maker) way(rnd *rand.Rand, kind breaks.Kind) string {
	ways := []string{mutateSection, mutateFile, mutateBroken}
	if kind == breaks.Raw {
		ways = []string{mutateSection, mutateBroken}
	}
	switch {
	case m.yields != nil && rnd.IntN(2) == 0:
		return m.yields.draw(rnd, kind, ways)
	case kind != breaks.Raw && rnd.IntN(4) == 0:
		return mutateFile
	}
	return mutateSection
}

// breakNames returns the names of all breaks.
var breakNames = sync.OnceValue(func() (names []string) {
	for _, b := range breaks.All() {
		names = append(names, b.Name)
	}
	return names
})

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

// simple draws the knobs of a plain section whose only function is one that no tool writes, such as one without FREs. In a section with other
// oddities, programs stop at those. Version 1 is drawn more often than in other sections, as only old programs read it.
func (sh shape) simple(rnd *rand.Rand) generator.Config {
	c := sh.base(rnd, false)
	c.Funcs, c.Wide = 1, 100
	if rnd.IntN(4) == 0 && model.LookupABI(model.ABI(c.ABI)).InVersion(model.SFRAME_VERSION_1) {
		c.Version = int64(model.SFRAME_VERSION_1)
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
	c.ABI, c.Version = int64(abi.ID), int64(model.SFRAME_VERSION_2)+rnd.Int64N(2)
	if rnd.IntN(6) == 0 && abi.InVersion(model.SFRAME_VERSION_1) {
		c.Version = int64(model.SFRAME_VERSION_1)
	}
	if sh.absolute && c.Version == int64(model.SFRAME_VERSION_2) {
		c.PCRel = 0
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

// mutate changes the section, or any part of the file. A changed section is
// in the smallest file around it.
func (in *Input) mutate(rnd *rand.Rand, s *breaks.Subject) {
	mut := fuzz.New(rnd.Uint64())
	mut.Max = 1 << 16
	if s.Kind() == breaks.Raw {
		in.Data = mut.Section(s.Section(), 4)
		in.Changes = mut.Log()
		return
	}
	if in.way == mutateFile {
		in.Data = mut.File(s.File(), 3)
		in.Changes = mut.Log()
		return
	}
	data := mut.Section(s.Section(), 4)
	in.Changes = mut.Log()
	in.Data = wrap(in.ABI, s.Kind(), data, s.Plan().Addr)
}

// wrap returns the smallest file around a section's bytes.
func wrap(abi model.ABIInfo, kind breaks.Kind, data []byte, addr uint64) []byte {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	typ := elf.ET_EXEC
	if kind == breaks.Rel {
		typ = elf.ET_REL
	}
	return elfwrite.Around(abi, typ, data, addr, s)
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
