package reader

import (
	"bytes"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
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

// replace makes all of a source the table, of which nothing was read.
func (p *pages) replace(s source) { p.src, p.place = s, model.Span{Len: s.size} }

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

// text appends the bytes from off up to an end byte to buf, at most limit of them.
// What is beyond the first line of a long text is spent from the reading budget: many
// names may share it.
func (p *pages) text(buf []byte, off, limit int64, end byte) []byte {
	if p.load() != nil || off < 0 || off >= p.place.Len {
		return buf
	}
	if p.slots == nil {
		return append(buf, upTo(p.whole[off:min(off+limit, p.place.Len)], end)...)
	}
	for n, most := int64(0), int64(textLine); n < limit; most = pageSize {
		most = min(most, limit-n)
		at := len(buf)
		buf = slices.Grow(buf, int(most))
		part := buf[at : at+p.copy(buf[at:at+int(most)], off+n)]
		part = upTo(part, end)
		buf = buf[:at+len(part)]
		if int64(len(part)) < most {
			break
		}
		n += most
		if err := p.src.budget.Spend(budget.Read, pageSize); err != nil {
			_ = p.src.fail(err)
			break
		}
	}
	return buf
}

// textLine is the number of bytes of a text that are read first: most names are shorter.
const textLine = 256

func upTo(b []byte, end byte) []byte {
	if n := bytes.IndexByte(b, end); n >= 0 {
		return b[:n]
	}
	return b
}

// names reads names from a table. It remembers the last one: many may be the same.
type names struct {
	*pages
	buf  []byte
	at   int64
	last string
	any  bool
}

// name returns the name at an offset, at most limit bytes up to an end byte, without
// a suffix. Errors: I/O and the budget.
func (t *names) name(off, limit int64, end byte, suffix string) (string, error) {
	if t.any && t.at == off {
		return t.last, nil
	}
	t.buf = t.text(t.buf[:0], off, limit, end)
	if err := t.src.first(); err != nil {
		return "", err
	}
	s, err := t.src.budget.Name(bytes.TrimSuffix(t.buf, []byte(suffix)))
	t.at, t.last, t.any = off, s, err == nil
	return s, err
}
