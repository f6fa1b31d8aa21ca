package budget

import "io"

// Reader returns a reader of r that fails when the budget ends, even while r waits for data. The goroutine that
// waits ends with r.
func (b *Budget) Reader(r io.Reader) io.Reader {
	if b == nil {
		return r
	}
	return &stream{b, r}
}

type stream struct {
	b *Budget
	r io.Reader
}

func (s *stream) Read(p []byte) (int, error) {
	type read struct {
		n   int
		err error
	}
	own, done := make([]byte, len(p)), make(chan read, 1)
	go func() {
		n, err := s.r.Read(own)
		done <- read{n, err}
	}()
	select {
	case x := <-done:
		return copy(p, own[:x.n]), x.err
	case <-s.b.Context.Done():
		return 0, s.b.Err()
	}
}
