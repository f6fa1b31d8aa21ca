package fix

import "bytes"

// Bytes returns the file's bytes with the plan's changes.
func (p *Plan) Bytes(data []byte) ([]byte, error) {
	if err := p.check(int64(len(data))); err != nil {
		return nil, err
	}
	out := bytes.Clone(data)
	for _, e := range p.Edits {
		copy(out[e.Span.Off:], e.New)
	}
	return append(append(out[:p.endAfter(int64(len(data)))], make([]byte, p.Gap)...), p.Append...), nil
}
