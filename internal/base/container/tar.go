package container

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

const (
	tarBlock      = 512
	tarMostHeader = 1 << 20 // bytes of an extended header; archive/tar has the same limit
)

// tarHeaders are the blocks before the data of an entry: its header, and those that extend it.
type tarHeaders struct {
	raw     []byte
	size    int64 // of the data in the archive
	records map[string]string
	seen    [256]bool // types of headers
	holes   bool      // records say where the file has holes
	parts   []int64   // where the map of holes has bytes: the place and size of each part
}

// tar reads a tar archive up to its end mark. Links, devices and directories have no bytes; entries of all other types are
// files, as POSIX demands for types that a reader does not know.
func (w *walk) tar(at position, r *bufio.Reader) error {
	padded := true
	for {
		if err := w.stopped(); err != nil {
			return err
		}
		var hs tarHeaders
		if more, err := hs.read(r); err != nil || !more {
			return err
		}
		body := &io.LimitedReader{R: r, N: hs.size}
		t := tar.NewReader(io.MultiReader(bytes.NewReader(hs.raw), body))
		h, err := t.Next()
		if err != nil {
			return err
		}
		if err := hs.whole(h); err != nil {
			return err
		}
		name, ok, err := w.cleanPath(at, h.Name)
		switch h.Typeflag {
		case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeDir, tar.TypeFifo:
			if ok && h.Size != 0 {
				err = w.fault(at.in(name), errSized)
			}
			if ok = false; err == nil {
				err = w.call(w.Step())
			}
		}
		if err == nil && ok {
			err = w.entry(at, name, h.Size, t)
		}
		if err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, body, body.N); err != nil {
			return err
		}
		if err := w.padding(at, r, pad(hs.size, tarBlock), &padded); err != nil {
			return err
		}
	}
}

// padding reads bytes that are zeros. The first ones that are not are named.
func (w *walk) padding(at position, r *bufio.Reader, n int, zeros *bool) (err error) {
	b, short := r.Peek(n)
	if short != nil {
		return io.ErrUnexpectedEOF
	}
	if *zeros && len(bytes.Trim(b, "\x00")) > 0 {
		*zeros, err = false, w.fault(at, errors.New("there are other bytes than zeros between its files"))
	}
	_, _ = r.Discard(n)
	return err
}

// errSized is why the bytes of an entry are not read. Some programs take them for the next entries.
var errSized = errors.New("a link, directory or device with bytes, which programs read in different ways")

// read reads the headers of an entry. It reports false at the end mark.
func (h *tarHeaders) read(r *bufio.Reader) (more bool, err error) {
	for {
		block, err := r.Peek(tarBlock)
		if len(block) == 0 || err == nil && len(bytes.Trim(block, "\x00")) == 0 {
			_, _ = r.Discard(len(block))
			return false, h.complete()
		}
		if err != nil {
			return false, io.ErrUnexpectedEOF
		}
		kind, size := block[156], tarNumber(block[124:136])
		if size < 0 || !isTar(block) {
			return false, errors.New("a header is wrong")
		}
		from := len(h.raw)
		h.raw = append(h.raw, block...)
		_, _ = r.Discard(tarBlock)
		switch kind {
		case 'x', 'g', 'L', 'K':
			if err := h.extension(r, kind, size); err != nil {
				return false, err
			}
			if kind == 'g' { // it applies to nothing that is read
				h.raw = h.raw[:from]
			}
			continue
		case 'X', 'N', 'M':
			return false, fmt.Errorf("a header of type %q, which is not read", kind)
		case 'S':
			for more := block[482]; more != 0; more = h.raw[len(h.raw)-8] {
				if err := h.more(r, tarBlock); err != nil || len(h.raw) > tarMostHeader {
					return false, errors.Join(err, errors.New("a map of holes is too long"))
				}
			}
			if !h.oldMap(h.raw[from:]) {
				return false, errHoles
			}
		case '1', '2', '3', '4', '5', '6':
			return true, nil
		}
		if h.holes && string(block[257:263]) != "ustar\x00" {
			return false, errors.New("a map of holes for a header of another format, which programs read in different ways")
		}
		h.size = size
		if text, ok := h.records["size"]; ok {
			h.size, err = strconv.ParseInt(text, 10, 63)
		}
		if err != nil || h.size < 0 {
			return false, errors.New("a size is wrong")
		}
		if h.holes {
			err = h.newMap(r)
		}
		return true, err
	}
}

// errHoles is why a file with holes is not read.
var errHoles = errors.New("a map of holes that programs read in different ways")

// oldMap reads the map in a header of type 'S' and the blocks after it, each of which has a part.
func (h *tarHeaders) oldMap(b []byte) bool {
	fields, blocks := b[386:482:482], len(b)/tarBlock-1
	for block := range slices.Chunk(b[tarBlock:], tarBlock) {
		fields = append(fields, block[:504]...)
	}
	fields = bytes.TrimRight(fields, "\x00")
	for len(fields) > 0 && fields[0] != 0 {
		p := make([]byte, 24)
		fields = fields[copy(p, fields):]
		h.parts = append(h.parts, tarNumber(p[:12]), tarNumber(p[12:]))
	}
	return len(fields) == 0 && (blocks == 0 || len(h.parts) > 2*(21*blocks-17))
}

// newMap reads the map before the data of an entry: lines that say how many parts there are, and where.
func (h *tarHeaders) newMap(r *bufio.Reader) error {
	from, lines, want := len(h.raw), 0, 1
	for lines < want {
		if h.size -= tarBlock; h.size < 0 || len(h.raw) > tarMostHeader {
			return errHoles
		}
		if err := h.more(r, tarBlock); err != nil {
			return err
		}
		lines += bytes.Count(h.raw[len(h.raw)-tarBlock:], []byte("\n"))
		if count, _, ok := strings.Cut(string(h.raw[from:min(len(h.raw), from+tarBlock)]), "\n"); ok {
			n, err := strconv.ParseUint(count, 10, 20)
			if err != nil {
				return errHoles
			}
			want = int(2*n + 1)
		}
	}
	all := strings.SplitN(string(h.raw[from:]), "\n", want+1)
	for _, text := range all[1:want] {
		n, err := strconv.ParseUint(text, 10, 62)
		if err != nil {
			return errHoles
		}
		h.parts = append(h.parts, int64(n))
	}
	if strings.Trim(all[want], "\x00") != "" {
		return errHoles
	}
	return nil
}

// whole reports parts that are not whole blocks, but for the last one, and a map that ends elsewhere than the file. Programs
// read the blocks of each part, and end the file with the map.
func (h *tarHeaders) whole(header *tar.Header) error {
	short, end := false, int64(0)
	for i := 1; i < len(h.parts); i += 2 {
		n := h.parts[i]
		if short && n > 0 {
			return errHoles
		}
		short, end = short || n%tarBlock != 0, h.parts[i-1]+n
	}
	if (h.holes || header.Typeflag == tar.TypeGNUSparse) && end != header.Size {
		return errHoles
	}
	return nil
}

// complete reports headers that extend no entry.
func (h *tarHeaders) complete() error {
	if len(h.raw) > 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// more appends n bytes to the headers.
func (h *tarHeaders) more(r *bufio.Reader, n int64) error {
	_, err := io.CopyN((*appender)(&h.raw), r, n)
	return err
}

type appender []byte

func (a *appender) Write(b []byte) (int, error) {
	*a = append(*a, b...)
	return len(b), nil
}

// tarNumber reads a number in octal or, with the first bit set, in binary digits; -1 for any other.
func tarNumber(b []byte) int64 {
	if b[0] == 0x80 && len(bytes.Trim(b[1:4], "\x00")) == 0 {
		return int64(number.Of(b[4:], true))
	}
	text, _, _ := strings.Cut(strings.Trim(string(b), " \x00"), "\x00")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 8, 62)
	if err != nil {
		return -1
	}
	return int64(n)
}

// extension reads a header that extends the next one, or with 'g' all that follow. Each may come once for an entry.
func (h *tarHeaders) extension(r *bufio.Reader, kind byte, size int64) error {
	if size > tarMostHeader || h.seen[kind] && kind != 'g' || h.seen['x'] && kind != 'g' || h.records != nil && kind == 'x' {
		return errors.New("the extended headers of an entry are too long or too many")
	}
	h.seen[kind] = true
	from := len(h.raw)
	if err := h.more(r, size+int64(pad(size, tarBlock))); err != nil {
		return err
	}
	if kind == 'L' || kind == 'K' {
		return nil
	}
	records, err := paxRecords(h.raw[from : int64(from)+size])
	if err != nil {
		return err
	}
	known := 0 // of a map of version 1.0; each of them once
	for key, value := range records {
		switch {
		case key == "GNU.sparse.major" && value == "1", key == "GNU.sparse.minor" && value == "0", key == "GNU.sparse.realsize":
			known, h.holes = known+1, true
		case strings.HasPrefix(key, "GNU.sparse.") && key != "GNU.sparse.name":
			known, h.holes = -len(records), true
		case kind == 'g' && (key == "size" || key == "path" || key == "linkpath"), strings.HasPrefix(key, "GNU.volume."), key == "GNU.dumpdir",
			key == "SCHILY.realsize", key == "SUN.holesdata":
			return fmt.Errorf("an extended header has %s, which programs read in different ways", key)
		}
	}
	if h.holes && (kind == 'g' || known != 3) { // busybox and 7z leave out the holes of older versions
		return errors.New("a map of holes of another version than 1.0, which programs read in different ways")
	}
	if kind == 'x' {
		h.records = records
	}
	return nil
}

// paxRecords reads the records of an extended header. Each key comes once.
func paxRecords(b []byte) (map[string]string, error) {
	all := map[string]string{}
	for len(b) > 0 {
		digits, _, _ := bytes.Cut(b, []byte(" "))
		n, err := strconv.Atoi(string(digits))
		if err != nil || n <= len(digits)+1 || n > len(b) || b[n-1] != '\n' {
			return nil, errors.New("an extended header is wrong")
		}
		key, value, ok := strings.Cut(string(b[len(digits)+1:n-1]), "=")
		if _, twice := all[key]; !ok || twice {
			return nil, errors.New("an extended header is wrong")
		}
		all[key], b = value, b[n:]
	}
	return all, nil
}
