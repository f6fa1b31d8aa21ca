package container

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

const (
	rpmLead      = 96
	rpmMagic     = "\x8e\xad\xe8\x01"
	rpmMaxHeader = 256 << 20 // the program rpm has the same limit
	rpmMaxTags   = 1 << 16
)

// Tags of an RPM header.
const (
	tagSizes, tagModes, tagFlags, tagDevices, tagInodes, tagDirIndexes, tagBaseNames, tagDirNames, tagLongSizes = 1028, 1030, 1037, 1095, 1096, 1116, 1117, 1118, 5008
)

// rpm reads an RPM package: lead, signature, header, and the files in a compressed cpio archive.
func (w *walk) rpm(at position, r *bufio.Reader) error {
	if _, err := r.Discard(rpmLead); err != nil {
		return err
	}
	signature, err := w.rpmHeader(r)
	if err != nil {
		return err
	}
	size := signature.size
	signature.drop()
	if _, err := r.Discard(int(-size & 7)); err != nil {
		return err
	}
	header, err := w.rpmHeader(r)
	if err != nil {
		return err
	}
	defer header.drop()
	in := position{name: at.name, depth: at.depth, layers: at.layers + 1}
	head, _ := r.Peek(HeadSize)
	k := KindOf(head, nil, 0)
	switch {
	case k.Unsupported():
		return notRead(k)
	case len(head) == 0 && header.tags[tagBaseNames].count == 0:
		return nil
	case !k.compressed():
		return w.payload(in, r, header)
	}
	z, end, err := w.decoder(r, k)
	if err != nil {
		return err
	}
	defer end()
	ahead := newAhead(&metered{z, w})
	defer ahead.close()
	if err := w.payload(in, bufio.NewReaderSize(ahead, 1<<15), header); err != nil {
		return err
	}
	return onlyZeros(r)
}

// onlyZeros returns an error if other bytes than zeros are left.
func onlyZeros(r *bufio.Reader) error {
	if skipZeros(r) {
		return errors.New("other bytes follow its files, which are not read")
	}
	return nil
}

// payload reads the archive of the files, which nothing follows.
func (w *walk) payload(at position, r *bufio.Reader, header *rpmFiles) error {
	if err := w.cpio(at, r, header); err != nil {
		return err
	}
	if err := onlyZeros(r); err != nil {
		return err
	}
	_, err := r.Peek(1)
	if err == io.EOF {
		err = nil
	}
	return err
}

// rpmFiles is the header of a package, which has the names of its files.
type rpmFiles struct {
	size  int64 // of the header
	store []byte
	tags  map[uint32]rpmTag
	index map[uint32][]uint32 // where the strings of a tag begin
	links map[[2]uint64]int   // the last file of each inode
	held  int64
	w     *walk
}

type rpmTag struct{ kind, at, count uint32 }

// rpmHeader reads a header.
func (w *walk) rpmHeader(r *bufio.Reader) (*rpmFiles, error) {
	var b [16]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return nil, err
	}
	fields := number.Fields{B: b[:], Big: true}
	n, size := fields.U32(8), fields.U32(12)
	if string(b[:4]) != rpmMagic || n > rpmMaxTags || size > rpmMaxHeader {
		return nil, errors.New("a header of the package is wrong")
	}
	h := &rpmFiles{size: 16 + 16*int64(n) + int64(size), tags: map[uint32]rpmTag{}, index: map[uint32][]uint32{}, w: w}
	for range n {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return nil, err
		}
		switch tag := fields.U32(0); tag {
		case tagSizes, tagModes, tagFlags, tagDevices, tagInodes, tagDirIndexes, tagBaseNames, tagDirNames, tagLongSizes:
			h.tags[tag] = rpmTag{fields.U32(4), fields.U32(8), fields.U32(12)}
		}
	}
	if len(h.tags) == 0 {
		_, err := io.CopyN(io.Discard, r, int64(size))
		return h, err
	}
	store, err := w.hold(nil, int64(size), io.LimitReader(r, int64(size)))
	h.store, h.held = store, int64(cap(store))
	if err != nil {
		h.drop()
		return nil, err
	}
	return h, nil
}

func (h *rpmFiles) drop() {
	_ = h.w.Hold(-h.held)
	h.held = 0
}

// number returns the i-th number of a tag.
func (h *rpmFiles) number(tag uint32, i int) (uint64, bool) {
	t, ok := h.tags[tag]
	width := map[uint32]uint64{3: 2, 4: 4, 5: 8}[t.kind]
	at := uint64(t.at) + width*uint64(i)
	if !ok || width == 0 || i >= int(t.count) || at+width > uint64(len(h.store)) {
		return 0, false
	}
	return number.Of(h.store[at:at+width], true), true
}

// stringsEach is the number of strings of a tag that count as an entry.
const stringsEach = 32

// starts returns where the strings of a tag begin: of none if there is no memory for them, which ends the walk.
func (h *rpmFiles) starts(tag uint32) []uint32 {
	if starts, ok := h.index[tag]; ok {
		return starts
	}
	t := h.tags[tag]
	if uint64(t.at) > uint64(len(h.store)) {
		return nil
	}
	rest := h.store[t.at:]
	n := min(int(t.count), bytes.Count(rest, []byte{0}))
	if h.w.take(4*int64(n)) != nil {
		return nil
	}
	h.held += 4 * int64(n)
	starts := make([]uint32, 0, n)
	for at := t.at; len(starts) < n; at += uint32(bytes.IndexByte(h.store[at:], 0)) + 1 {
		if len(starts)%stringsEach == 0 {
			if h.w.call(h.w.Step()) != nil {
				return nil
			}
		}
		starts = append(starts, at)
	}
	h.index[tag] = starts
	return starts
}

// text returns the i-th string of a tag.
func (h *rpmFiles) text(tag uint32, i int) (string, bool) {
	starts := h.starts(tag)
	if i >= len(starts) {
		return "", false
	}
	b := h.store[starts[i]:]
	end := bytes.IndexByte(b, 0)
	if end > maxName {
		return "", false
	}
	return string(b[:end]), true
}

// entry fills in the i-th file of the package.
func (h *rpmFiles) entry(i int, e *cpioEntry) bool {
	size, ok := h.number(tagLongSizes, i)
	if !ok {
		size, ok = h.number(tagSizes, i)
	}
	mode, okMode := h.number(tagModes, i)
	dir, okDir := h.number(tagDirIndexes, i)
	base, okBase := h.text(tagBaseNames, i)
	if !ok || !okMode || !okDir || !okBase || size > 1<<62 || dir > 1<<31 {
		return false
	}
	name, ok := h.text(tagDirNames, int(dir))
	e.name, e.size, e.align = name+base, int64(size), 4
	if e.typed(mode); !e.regular && !e.link {
		e.size = 0 // the header has one for directories
	}
	if last, linked := h.last(i); e.regular && linked && last != i {
		e.size = 0 // the bytes are with the last one of hard links
	}
	return ok
}

// linkMemory is about what a map takes for an inode, in bytes.
const linkMemory = 64

// last returns the last file that is a hard link to the i-th file.
func (h *rpmFiles) last(i int) (last int, ok bool) {
	const regular, ghost = 0o100000, 1 << 6
	inode := func(i int) (id [2]uint64) {
		id[0], _ = h.number(tagDevices, i)
		id[1], _ = h.number(tagInodes, i)
		return id
	}
	if h.links == nil {
		n := int(h.tags[tagInodes].count)
		n = min(n, len(h.store))
		if h.w.take(linkMemory*int64(n)) != nil {
			return 0, false
		}
		h.held += linkMemory * int64(n)
		h.links = map[[2]uint64]int{}
		for j := range n {
			mode, _ := h.number(tagModes, j)
			if flags, _ := h.number(tagFlags, j); mode&0o170000 == regular && flags&ghost == 0 {
				if _, ok := h.number(tagInodes, j); ok {
					h.links[inode(j)] = j
				}
			}
		}
	}
	last, ok = h.links[inode(i)]
	return last, ok
}
