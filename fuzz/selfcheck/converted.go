package selfcheck

import (
	"bytes"
	"errors"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// converted writes the section in the other byte order and in the other
// version that says as much, and back.
func (r *run) converted() {
	if d := differ(r.p, generator.Flip(generator.Flip(r.p))); d != "" {
		r.fail("in the other byte order and back: %s", d)
	}
	r.flippedBytes()
	if r.p.Version == model.SFRAME_VERSION_1 {
		return
	}
	other, err := generator.Convert(r.p, model.SFRAME_VERSION_2+model.SFRAME_VERSION_3-r.p.Version)
	if err != nil {
		if r.p.Version == model.SFRAME_VERSION_2 {
			r.fail("not said in V3: %v", err)
		}
		return // V2 can't say it all
	}
	back, err := generator.Convert(other, r.p.Version)
	if err != nil {
		r.fail("from %v and back: %v", other.Version, err)
		return
	}
	back.Flags = r.p.Flags // each version has flags of its own
	if d := differ(r.p, back); d != "" {
		r.fail("in %v and back: %s", other.Version, d)
	}
}

// flippedBytes turns the bytes over field by field, and back.
func (r *run) flippedBytes() {
	b, err := generator.Encode(r.p)
	if err != nil {
		return // round trip has told
	}
	once, err := r.flip(b)
	if err != nil {
		r.fail("not written in the other byte order: %v", err)
		return
	}
	twice, err := r.flip(once)
	if err != nil || !bytes.Equal(b, twice) {
		r.fail("turned over twice: %v", err)
	}
}

func (r *run) flip(b []byte) ([]byte, error) {
	s, _ := reader.DecodeSection(b, reader.SectionOptions{Addr: r.p.Addr})
	if s == nil {
		return nil, errors.New("it can't be read")
	}
	return generator.FlipBytes(s)
}
