// Package container reads through packages, archives and images of file systems, and through what is
// compressed: deb, rpm and apk packages, tar, cpio and zip archives, images of containers, squashfs, ext2 to
// ext4, ISO 9660 and Linux kernels. What a file is depends on its bytes, and not on its name.
//
// Files are passed on one after the other. A file that is wanted is held in memory if it has to be; nothing
// is written to disk. Sizes that a container claims allocate nothing: buffers grow with the bytes that are
// there. Links are not followed.
package container

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
)

// Separator is between the path of a container and the path of a file in it.
const Separator = "!"

// Options are what a walk calls, and its limits. An error of a function other than Fault ends the walk.
type Options struct {
	// Spend is called for bytes that were read or decompressed, and Step for each entry.
	Spend func(bytes int64) error
	Step  func() error
	// Hold is called before memory is allocated; a negative number gives it back. Two
	// goroutines may call it at once.
	Hold func(bytes int64) error
	// Most is the largest file that is held in memory, in bytes.
	Most int64
	// Want reports whether a file with these first bytes, up to [HeadSize], is passed on.
	Want func(head []byte) bool
	// Skip, unless nil, reports whether a file is passed over. Its path begins with a slash.
	Skip func(path string) bool
	// Visit is called for each file that is wanted. The file is valid until it returns.
	Visit func(f *File) error
	// Fault is called for each container that could not be read to its end.
	Fault func(f Fault) error
}

// File is a file in a container.
type File struct {
	Name string // the path of the container, "!" and its path there
	Size int64
	R    io.ReaderAt
}

// Fault says why a container was not read to its end.
type Fault struct {
	Name  string // of the container
	Err   error
	Large bool // a file is larger than Options.Most
}

// HeadSize is how many of a file's first bytes say what it is, unless it may be an image.
const HeadSize = kernelHead

// MaxDepth bounds containers in containers, and MaxPacked what is compressed in them.
const (
	MaxDepth  = 8
	maxLayers = 2 * MaxDepth
)

// maxName bounds a path in a container, in bytes.
const maxName = 1 << 14

// errDepth is why a container in too many others is not read.
var errDepth = fmt.Errorf("inside more than %d other packages", MaxDepth)

// walk is a walk through a container.
type walk struct {
	*Options
	buf    []byte // of a file that is held
	mu     sync.Mutex
	stop   error // of a function of the options
	faults int
}

// place is where a walk is.
type place struct {
	name   string
	depth  int      // containers
	layers int      // and what is compressed
	over   *overlay // of an image of a container, nil for none
}

// Walk passes on the files of the container that r has, of a kind that [KindOf] has found. name is its path.
func Walk(name string, r io.ReaderAt, size int64, k Kind, o *Options) error {
	w := &walk{Options: o}
	defer w.close()
	err := w.random(place{name: name}, r, size, k)
	return w.ended(err)
}

// close gives the memory back.
func (w *walk) close() {
	if w.buf != nil {
		_ = w.Hold(-int64(cap(w.buf)))
	}
}

// ended returns the error of a function of the options, if there was one.
func (w *walk) ended(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil {
		return w.stop
	}
	return err
}

// call keeps the first error of a function of the options.
func (w *walk) call(err error) error {
	if err == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop == nil {
		w.stop = err
	}
	return err
}

// stopped reports whether the walk is over.
func (w *walk) stopped() error { return w.ended(nil) }

// fault reports that a container could not be read, unless the walk is over.
func (w *walk) fault(at place, err error) error {
	if stop := w.stopped(); stop != nil {
		return stop
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		err = errors.New("cut off")
	}
	w.faults++
	return w.call(w.Fault(Fault{Name: at.name, Err: err, Large: errors.Is(err, errLarge)}))
}

// random reads a container whose bytes can be read in any order.
func (w *walk) random(at place, r io.ReaderAt, size int64, k Kind) error {
	sec := io.NewSectionReader(r, 0, size)
	if at.depth > MaxDepth || at.layers > maxLayers {
		return w.fault(at, errDepth)
	}
	var err error
	switch k {
	case Zip:
		err = w.zip(at, r, size)
	case Squashfs:
		err = w.squashfs(at, r, size)
	case Ext:
		err = w.ext(at, r, size)
	case ISO:
		err = w.iso(at, r, size)
	case Tar:
		done, ierr := w.image(at, tarBlobs{sec})
		if done || ierr != nil {
			err = ierr
			break
		}
		err = w.tar(at, io.NewSectionReader(w.readAt(r), 0, size))
	default:
		return w.stream(at, bufio.NewReaderSize(io.NewSectionReader(w.readAt(r), 0, size), 1<<16))
	}
	return w.fault(at, err)
}

// readAt counts the bytes that are read.
func (w *walk) readAt(r io.ReaderAt) io.ReaderAt { return &meteredAt{r, w} }

type meteredAt struct {
	io.ReaderAt
	w *walk
}

func (m *meteredAt) ReadAt(b []byte, off int64) (int, error) {
	if err := m.w.call(m.w.Spend(int64(len(b)))); err != nil {
		return 0, err
	}
	return m.ReaderAt.ReadAt(b, off)
}

// metered counts the bytes that come out of a decoder.
type metered struct {
	r io.Reader
	w *walk
}

func (m *metered) Read(b []byte) (int, error) {
	n, err := m.r.Read(b)
	if serr := m.w.call(m.w.Spend(int64(n))); serr != nil {
		return 0, serr
	}
	return n, err
}

// stream reads a container, or something compressed, in order. What follows a cpio archive, or compressed
// data, is read as well: the kernel takes such initial file systems one after the other.
func (w *walk) stream(at place, r *bufio.Reader) error {
	for first := true; ; first = false {
		if err := w.stopped(); err != nil {
			return err
		}
		if !first && !skipZeros(r) {
			return w.stopped()
		}
		head, _ := r.Peek(HeadSize)
		k := KindOf(head, nil, 0)
		if !first && k != Cpio && !k.compressed() {
			return w.stopped()
		}
		var err error
		switch {
		case at.depth > MaxDepth || at.layers > maxLayers:
			err = errDepth
		case k.compressed():
			faults := w.faults
			if err := w.compressed(at, r, k); err != nil || w.faults > faults {
				return err
			}
			continue
		case k == Cpio:
			err = w.cpio(at, r, nil)
			if err == nil {
				continue
			}
		case k == Tar:
			err = w.tar(at, r)
		case k == Deb:
			err = w.deb(at, r)
		case k == RPM:
			err = w.rpm(at, r)
		case k == Kernel:
			err = w.kernel(at, r)
		default:
			return nil
		}
		return w.fault(at, err)
	}
}

// skipZeros reports whether there is something else after zero bytes.
func skipZeros(r *bufio.Reader) bool {
	for {
		b, err := r.Peek(1)
		if len(b) == 0 || err != nil {
			return false
		}
		if b[0] != 0 {
			return true
		}
		n := r.Buffered()
		b, _ = r.Peek(n)
		zeros := len(b) - len(bytes.TrimLeft(b, "\x00"))
		_, _ = r.Discard(zeros)
	}
}

// compressed reads what is compressed: a container, or a single file, which has the same name.
func (w *walk) compressed(at place, r *bufio.Reader, k Kind) error {
	z, end, err := w.decoder(r, k)
	if err != nil {
		return w.fault(at, err)
	}
	ahead := newAhead(&metered{z, w})
	in, faults := at, w.faults
	in.layers++
	err = w.entry(in, "", -1, ahead)
	if err == nil && w.faults == faults { // what follows begins after the end
		_, err = io.Copy(io.Discard, ahead)
		err = w.fault(at, err)
	}
	ahead.close()
	end()
	return err
}

// entry looks at a file of size bytes, -1 for an unknown number, and passes it on or reads through it. name is
// its path in the container, "" if the container is nothing but its compressed form.
func (w *walk) entry(at place, name string, size int64, r io.Reader) error {
	if name != "" {
		if err := w.call(w.Step()); err != nil {
			return err
		}
	}
	if size == 0 || name != "" && w.Skip != nil && w.Skip(name) {
		return nil
	}
	var small [HeadSize]byte
	head, err := more(small[:0], r, HeadSize)
	if err != nil {
		return w.fault(at, err)
	}
	in := at
	if name != "" {
		in.name, in.over = at.name+Separator+name, nil
	}
	want := w.Want(head)
	k := KindOf(head, nil, 0)
	if !want && k == None && len(head) == HeadSize && (size < 0 || size >= isoHead && size%1024 == 0) {
		if size < 0 { // the size is not known: only an ext file system can be told early
			head, err = more(bytes.Clone(head), r, 2<<10)
		} else {
			head, err = more(bytes.Clone(head), r, isoHead)
		}
		if err != nil {
			return w.fault(at, err)
		}
		k = KindOf(head, bytes.NewReader(head), int64(len(head)))
	}
	if !want && k == None {
		return nil
	}
	all := io.MultiReader(bytes.NewReader(head), r)
	switch {
	case want && k == None:
		return w.held(in, size, all)
	case k.unsupported() != "":
		return w.fault(in, fmt.Errorf("%s, which is not read", k.unsupported()))
	case k.seeks():
		in.depth++
		return w.heldImage(in, size, all, k)
	case !k.compressed():
		in.depth++
	}
	return w.stream(in, bufio.NewReaderSize(all, 1<<15))
}

// more reads up to n bytes into b.
func more(b []byte, r io.Reader, n int) ([]byte, error) {
	had := len(b)
	if cap(b) < n {
		b = append(make([]byte, 0, n), b...)
	}
	k, err := io.ReadFull(r, b[had:n])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:had+k], err
}

// errLarge is why a file is not held in memory.
var errLarge = errors.New("too large to be held in memory")

// held passes on a file that is held in memory.
func (w *walk) held(at place, size int64, r io.Reader) error {
	b, err := w.hold(w.buf, size, r)
	w.buf = b[:0]
	if err != nil {
		return w.fault(at, err)
	}
	return w.call(w.Visit(&File{Name: at.name, Size: int64(len(b)), R: bytes.NewReader(b)}))
}

// heldImage reads through a container that cannot be read in order.
func (w *walk) heldImage(at place, size int64, r io.Reader, k Kind) error {
	b, err := w.hold(nil, size, r)
	defer func() { _ = w.Hold(-int64(cap(b))) }()
	if err != nil {
		return w.fault(at, err)
	}
	return w.random(at, bytes.NewReader(b), int64(len(b)), k)
}

// hold reads all of a file into b, which grows with what is there.
func (w *walk) hold(b []byte, size int64, r io.Reader) ([]byte, error) {
	b = b[:0]
	if size > w.Most {
		return b, fmt.Errorf("a file of %d bytes: %w", size, errLarge)
	}
	for {
		if len(b) == cap(b) {
			n := max(2*cap(b), 64<<10)
			if size >= 0 && n > int(size)+1 {
				n = max(int(size)+1, cap(b)+1)
			}
			n = min(n, int(w.Most)+1)
			if n <= cap(b) {
				return b, fmt.Errorf("a file of more than %d bytes: %w", w.Most, errLarge)
			}
			if err := w.take(int64(n)); err != nil {
				return b, err
			}
			grown := make([]byte, len(b), n)
			copy(grown, b)
			_ = w.Hold(-int64(cap(b)))
			b = grown
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if serr := w.call(w.Spend(int64(n))); serr != nil {
			return b, serr
		}
		switch {
		case err == io.EOF:
			if size >= 0 && int64(len(b)) < size {
				return b, io.ErrUnexpectedEOF
			}
			return b, nil
		case err != nil:
			return b, err
		}
	}
}

// visitedMemory is about what a table takes for each directory that was visited, in bytes.
const visitedMemory = 48

// visited are the directories of an image that were visited, by where they are.
type visited struct {
	w    *walk
	seen map[uint64]bool
}

// add adds a directory inside so many others. Errors: one that was visited before.
func (v *visited) add(at uint64, depth int) error {
	if v.seen[at] || depth > mostDirs {
		return errors.New("a directory is in itself")
	}
	if err := v.w.call(v.w.Step()); err != nil {
		return err
	}
	if err := v.w.take(visitedMemory); err != nil {
		return err
	}
	if v.seen == nil {
		v.seen = map[uint64]bool{}
	}
	v.seen[at] = true
	return nil
}

// drop gives the memory back.
func (v *visited) drop() { _ = v.w.Hold(-visitedMemory * int64(len(v.seen))) }

// clean returns the path of an entry from the root of its container on.
func (w *walk) clean(at place, name string) (string, bool, error) {
	name = strings.TrimRight(name, "\x00")
	if len(name) > maxName {
		return "", false, w.fault(at, fmt.Errorf("a name of %d bytes", len(name)))
	}
	p := path.Clean("/" + name)
	depth := 0
	for e := range strings.SplitSeq(name, "/") {
		switch e {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return p, false, w.fault(at, fmt.Errorf("the name %q leads out of it", name))
			}
		default:
			depth++
		}
	}
	return p, p != "/", nil
}

func newBuffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<16) }
