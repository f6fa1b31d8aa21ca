package reader

import (
	"bytes"
	"sync"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// wholeTable is the number of bytes up to which a table is read at once. Of a
// larger one, pages are kept.
const wholeTable = 1 << 20

// A page is a part of a table; the table has slots for some of them.
const (
	pageSize  = 4 << 10
	pageSlots = 128
)

// pages gives access to a table of any size in bounded memory. The table is
// read on first use. It is safe for concurrent use.
type pages struct {
	src   source
	place model.Span

	once  sync.Once
	whole []byte // of a small table
	err   error

	mu    sync.Mutex
	slots []page
}

type page struct {
	at   int64 // in the table, -1 for none
	data []byte
}

// load reads a small table. Errors: I/O and the budget.
func (p *pages) load() error {
	p.once.Do(func() {
		switch {
		case p.place.Len <= wholeTable:
			p.whole, p.err = p.src.read(p.place)
		default:
			// A table that can't be read to its end is not begun.
			b := p.src.budget
			if err := b.Spend(budget.Read, p.place.Len); err != nil {
				p.err = p.src.fail(err)
				return
			}
			b.Release(budget.Read, p.place.Len)
			p.slots = make([]page, pageSlots)
			for i := range p.slots {
				p.slots[i].at = -1
			}
		}
	})
	return p.err
}

// copy copies the bytes at off to b and returns how many there are.
func (p *pages) copy(b []byte, off int64) int {
	if p.load() != nil || off < 0 || off >= p.place.Len {
		return 0
	}
	if p.slots == nil {
		return copy(b, p.whole[off:])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(b) && off < p.place.Len {
		data := p.page(off &^ (pageSize - 1))
		if data == nil {
			break
		}
		k := copy(b[n:], data[off&(pageSize-1):])
		n += k
		off += int64(k)
	}
	return n
}

// page returns the page at an offset, nil where it can't be read.
func (p *pages) page(at int64) []byte {
	s := &p.slots[at/pageSize%pageSlots]
	if s.at == at {
		return s.data
	}
	if s.data == nil {
		s.data = make([]byte, pageSize)
	}
	s.data = s.data[:min(pageSize, p.place.Len-at)]
	if s.at = -1; p.src.fill(s.data, p.place.Off+at) != nil {
		s.data = s.data[:0]
		return nil
	}
	s.at = at
	return s.data
}

// text returns the bytes from off up to an end byte, at most limit of them.
func (p *pages) text(off, limit int64, end byte) []byte {
	if p.load() != nil || off < 0 || off >= p.place.Len {
		return nil
	}
	if p.slots == nil {
		return upTo(p.whole[off:min(off+limit, p.place.Len)], end)
	}
	var b []byte
	for int64(len(b)) < limit {
		var part [64]byte
		n := p.copy(part[:min(64, limit-int64(len(b)))], off+int64(len(b)))
		name := upTo(part[:n], end)
		if b = append(b, name...); len(name) < len(part) {
			break
		}
	}
	return b
}

func upTo(b []byte, end byte) []byte {
	if n := bytes.IndexByte(b, end); n >= 0 {
		return b[:n]
	}
	return b
}
