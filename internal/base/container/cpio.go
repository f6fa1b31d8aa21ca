package container

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// cpio reads a cpio archive up to its trailer. The files of an RPM package may have their names in the header
// of the package.
func (w *walk) cpio(at position, r *bufio.Reader, files *rpmFiles) error {
	padded := true
	for {
		if err := w.stopped(); err != nil {
			return err
		}
		h, err := readCpio(r, files)
		if err != nil {
			return err
		}
		if h.trailer {
			return nil
		}
		sum := &summed{r: r}
		body := &io.LimitedReader{R: r, N: h.size}
		if h.summed {
			body.R = sum
		}
		name, ok, err := w.cleanPath(at, h.name)
		switch {
		case err == nil && ok && h.regular:
			err = w.entry(at, name, h.size, body)
		case err == nil && ok && h.size > 0 && !h.link:
			err = w.fault(at.in(name), errSized)
		case err == nil:
			err = w.call(w.Step())
		}
		if err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, body, body.N); err != nil {
			return err
		}
		if h.summed && sum.sum != h.sum {
			err = w.fault(at.in(name), errors.New("its data have another sum than its header states"))
		}
		if err = cmp.Or(err, w.padding(at, r, pad(h.size, h.align), &padded)); err != nil {
			return err
		}
	}
}

// summed adds up the bytes that are read.
type summed struct {
	r   io.Reader
	sum uint32
}

func (s *summed) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	for _, c := range b[:n] {
		s.sum += uint32(c)
	}
	return n, err
}

// cpioEntry is what the header of an entry says.
type cpioEntry struct {
	name    string
	size    int64
	align   int64
	regular bool // also of an unknown type
	link    bool // a symbolic link, whose bytes are a path
	trailer bool
	summed  bool   // sum is stated
	sum     uint32 // of the bytes
}

// typed takes the type of an entry from its mode.
func (e *cpioEntry) typed(mode uint64) {
	switch mode & 0o170000 {
	case 0o120000:
		e.link = true
	case 0o040000, 0o020000, 0o060000, 0o010000, 0o140000: // directories, devices, pipes and sockets
	default:
		e.regular = true
	}
}

func pad(n, align int64) int { return int(-n & (align - 1)) }

// cpioFormat is where a header of an entry has its fields, which are numbers in text.
type cpioFormat struct {
	magic            string
	head             int
	base             int
	align            int64
	mode, size, name [2]int
}

// cpioFormats are the formats newc, crc and odc.
var cpioFormats = [...]cpioFormat{
	{magic: "070701", head: 110, base: 16, align: 4, mode: [2]int{14, 22}, size: [2]int{54, 62}, name: [2]int{94, 102}},
	{magic: "070702", head: 110, base: 16, align: 4, mode: [2]int{14, 22}, size: [2]int{54, 62}, name: [2]int{94, 102}},
	{magic: "070707", head: 76, base: 8, align: 1, mode: [2]int{18, 24}, size: [2]int{65, 76}, name: [2]int{59, 65}},
}

// shortCpio reads the header of an entry that an RPM package describes in its own.
func shortCpio(r *bufio.Reader, files *rpmFiles) (e cpioEntry, err error) {
	var b [16]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return e, err
	}
	i, err := strconv.ParseUint(string(b[6:14]), 16, 31)
	if e.align = 4; err != nil || files == nil || !files.entry(int(i), &e) {
		return e, errors.New("an entry is not in the header of the package")
	}
	return e, nil
}

// readCpio reads the header of an entry, in one of the formats newc, crc, odc and that of RPM.
func readCpio(r *bufio.Reader, files *rpmFiles) (e cpioEntry, err error) {
	magic, err := r.Peek(6)
	if err != nil {
		return e, io.ErrUnexpectedEOF
	}
	if string(magic) == "07070X" {
		return shortCpio(r, files)
	}
	i := slices.IndexFunc(cpioFormats[:], func(f cpioFormat) bool { return f.magic == string(magic) })
	if i < 0 {
		return e, fmt.Errorf("an entry begins with %q", magic)
	}
	f := &cpioFormats[i]
	var b [110]byte
	if _, err := io.ReadFull(r, b[:f.head]); err != nil {
		return e, err
	}
	var errs [3]error
	number := func(i int, at [2]int) uint64 {
		v, err := strconv.ParseUint(string(b[at[0]:at[1]]), f.base, 62)
		errs[i] = err
		return v
	}
	mode, size, name := number(0, f.mode), number(1, f.size), number(2, f.name)
	e.size, e.align = int64(size), f.align
	if err := errors.Join(errs[:]...); err != nil {
		return e, errors.New("the header of an entry is wrong")
	}
	if name == 0 || name > maxName {
		return e, fmt.Errorf("a name of %d bytes", name)
	}
	text := make([]byte, name)
	if _, err := io.ReadFull(r, text); err != nil {
		return e, err
	}
	if _, err := r.Discard(pad(int64(f.head)+int64(name), e.align)); err != nil {
		return e, err
	}
	if text[name-1] != 0 {
		return e, errors.New("a name has no end")
	}
	e.name, _, _ = strings.Cut(string(text), "\x00") // as C does
	e.typed(mode)
	if e.summed = f.magic == "070702" && e.regular; e.summed {
		sum, err := strconv.ParseUint(string(b[102:110]), 16, 32)
		if e.sum = uint32(sum); err != nil {
			return e, errors.New("the header of an entry is wrong")
		}
	}
	e.trailer = e.name == "TRAILER!!!"
	return e, nil
}
