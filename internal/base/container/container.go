// Package container reads packages, archives and compressed data: rpm packages, tar, cpio and zip archives, and Linux
// kernels. The bytes of a file decide its format, not its name. The package must not depend on the purpose of files:
// the caller chooses the files that it wants.
//
// Every entry that has bytes is passed on, not wanted, or named in a fault. Files are passed on one after another. A
// wanted file is held in memory; nothing is written to disk. The sizes that a container claims allocate nothing:
// buffers grow with the bytes that exist. Links are not followed.
package container

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
)

// Separator separates the path of a container from the path of a file in it.
const Separator = "!"

// Hooks are the limits of a walk and the functions that it calls. An error of any function except Fault ends the
// walk.
type Hooks struct {
	// Spend is called for bytes that were read or decompressed. Step is called for each entry.
	Spend func(bytes int64) error
	Step  func() error
	// Hold is called before memory is allocated; a negative number releases memory. Two goroutines may call it at
	// once.
	Hold func(bytes int64) error
	// Most is the maximum size of a file that is held in memory, in bytes.
	Most int64
	// Want reports whether to pass on a file with these first bytes, up to [HeadSize].
	Want func(head []byte) bool
	// Skip, unless nil, reports whether to skip a file. Its path begins with a slash.
	Skip func(path string) bool
	// Visit is called for each wanted file. The file is valid until Visit returns.
	Visit func(f *File) error
	// Fault is called for each container that could not be read to its end, and for each file that could not be read.
	Fault func(f Fault) error
	// Depth is the number of containers around the container.
	Depth int
}

// File is a file in a container.
type File struct {
	Name  string // the path of the container, "!" and the path in the container
	Size  int64
	R     io.ReaderAt
	Depth int // the number of containers around the file
}

// Fault says why a container was not read to its end.
type Fault struct {
	Name  string // of the container
	Err   error
	Large bool // a file exceeds Hooks.Most
}

// HeadSize is the number of bytes at the start of a file that decide its format, unless it is an image.
const HeadSize = kernelHead

// MaxDepth is the maximum depth of containers in containers. maxLayers also counts layers of compression.
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
	*Hooks
	buf    []byte // of a file that is held
	image  []byte // the first bytes of a file that may be an image
	mu     sync.Mutex
	stop   error // of a function of the options
	faults int
}

// position is where a walk is.
type position struct {
	name   string
	depth  int // containers
	layers int // and what is compressed
}

// in is the position of an entry.
func (p position) in(path string) position {
	p.name += Separator + path
	return p
}

// Walk passes on the files of the container r, whose path is name. k is the result of [KindOf].
func Walk(name string, r io.ReaderAt, size int64, k Format, o *Hooks) error {
	w := &walk{Hooks: o}
	defer w.close()
	return w.hookError(w.random(position{name: name, depth: o.Depth}, r, size, k))
}

// close gives the memory back.
func (w *walk) close() {
	if w.buf != nil {
		_ = w.Hold(-int64(cap(w.buf)))
	}
}

// hookError returns the error of a function of the options, if there was one.
func (w *walk) hookError(err error) error {
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
func (w *walk) stopped() error { return w.hookError(nil) }

// fault reports that a container could not be read, unless the walk is over.
func (w *walk) fault(at position, err error) error {
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
func (w *walk) random(at position, r io.ReaderAt, size int64, k Format) error {
	switch {
	case k.Unsupported():
		return w.fault(at, notRead(k))
	case at.depth > MaxDepth || at.layers > maxLayers:
		return w.fault(at, errDepth)
	case k == Zip:
		return w.fault(at, w.zip(at, r, size))
	}
	return w.stream(at, bufio.NewReaderSize(io.NewSectionReader(w.readAt(r), 0, size), 1<<16))
}

// notRead is why a file of a kind is not read.
func notRead(k Format) error { return fmt.Errorf("it is %s, which is not read", k) }

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

// stream reads a container, or something compressed, in order. What follows it is read as well: the kernel takes
// initial file systems one after the other, and programs write archives so.
func (w *walk) stream(at position, r *bufio.Reader) error {
	for first := true; ; first = false {
		if err := w.stopped(); err != nil {
			return err
		}
		if !first && !skipZeros(r) {
			return w.stopped()
		}
		head, _ := r.Peek(HeadSize)
		k := KindOf(head, nil, 0)
		var err error
		switch {
		case at.depth > MaxDepth || at.layers > maxLayers:
			err = errDepth
		case k.compressed():
			faults := w.faults
			if err := w.readCompressed(at, r, k); err != nil || w.faults > faults {
				return err
			}
		case k == Cpio:
			err = w.cpio(at, r, nil)
		case k == Tar:
			err = w.tar(at, r)
		case !first && k == None:
			err = errors.New("other bytes follow its end, which are not read")
		case !first:
			err = fmt.Errorf("what follows is %s, which is not read", k)
		case k == RPM:
			return w.fault(at, w.rpm(at, r))
		case k == Kernel:
			return w.fault(at, w.kernel(at, r))
		default:
			err = errors.New("it is of an unknown kind")
		}
		if err != nil {
			return w.fault(at, err)
		}
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

// readCompressed reads what is compressed: a container, or a single file, which has the same name.
func (w *walk) readCompressed(at position, r *bufio.Reader, k Format) error {
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
func (w *walk) entry(at position, name string, size int64, r io.Reader) error {
	in := at
	if name != "" {
		if err := w.call(w.Step()); err != nil {
			return err
		}
		in = at.in(name)
	}
	if size == 0 || name != "" && w.Skip != nil && w.Skip(name) {
		return nil
	}
	var small [HeadSize]byte
	head, err := readMore(small[:0], r, HeadSize)
	if err != nil {
		return w.fault(in, err)
	}
	if w.Want(head) {
		return w.passHeld(in, size, io.MultiReader(bytes.NewReader(head), r))
	}
	k := KindOf(head, nil, 0)
	script := k == None && bytes.HasPrefix(head, []byte("#!"))
	if k == None && !script && len(head) == HeadSize {
		if head, err = w.readFurther(head, r); err != nil {
			return w.fault(in, err)
		}
		k = KindOf(head, bytes.NewReader(head), int64(len(head)))
	}
	all := io.MultiReader(bytes.NewReader(head), r)
	switch {
	case script:
		return w.heldZip(in, size, all, true)
	case k == None:
		return nil
	case k.Unsupported():
		return w.fault(in, notRead(k))
	case !k.compressed():
		in.depth++
	}
	if k == Zip {
		return w.heldZip(in, size, all, false)
	}
	return w.stream(in, bufio.NewReaderSize(all, 1<<15))
}

// readFurther reads as many of the first bytes as the magic of images needs.
func (w *walk) readFurther(head []byte, r io.Reader) ([]byte, error) {
	w.image = append(slices.Grow(w.image[:0], imageHead), head...)
	return readMore(w.image, r, imageHead)
}

// readMore appends to b up to n bytes, for which it has room.
func readMore(b []byte, r io.Reader, n int) ([]byte, error) {
	had := len(b)
	k, err := io.ReadFull(r, b[had:n])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:had+k], err
}

// errLarge is why a file is not held in memory.
var errLarge = errors.New("too large to be held in memory")

// passHeld passes on a file that is held in memory.
func (w *walk) passHeld(at position, size int64, r io.Reader) error {
	b, err := w.hold(w.buf, size, r)
	w.buf = b[:0]
	if err != nil {
		return w.fault(at, err)
	}
	return w.call(w.Visit(&File{Name: at.name, Size: int64(len(b)), R: bytes.NewReader(b), Depth: at.depth + 1}))
}

// heldZip reads a zip archive, which cannot be read in order. A script may end with one.
func (w *walk) heldZip(at position, size int64, r io.Reader, script bool) error {
	b, err := w.hold(nil, size, r)
	defer func() { _ = w.Hold(-int64(cap(b))) }()
	if err != nil {
		return w.fault(at, err)
	}
	if script {
		if at.depth++; !EndsAsZip(bytes.NewReader(b), int64(len(b))) {
			return nil
		}
	}
	return w.random(at, bytes.NewReader(b), int64(len(b)), Zip)
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

// cleanPath returns the path of an entry from the root of its container on.
func (w *walk) cleanPath(at position, name string) (string, bool, error) {
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
	return p, true, nil
}
