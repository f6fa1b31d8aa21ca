package reader

import (
	"bufio"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
	"github.com/sframe-lint/sframe-lint/model"
)

// ErrCompression means that a compressed section cannot be decompressed.
var ErrCompression = unpack.ErrFormat

// packed is how a section is compressed: SHF_COMPRESSED with an Elf64_Chdr, or in the
// older form of GNU tools, with a name like ".zdebug_frame" and only zlib.
type packed struct {
	how  elf.CompressionType
	head uint64 // bytes before the compressed data
	size uint64 // of the decompressed data, bytes
}

// The most bytes that a byte of compressed data can stand for. Deflate has at least two
// bits for 258 bytes. A block of zstd has at least 4 bytes and stands for at most 128 KiB.
const (
	mostZlib = 4 * 258
	mostZstd = 128 << 10 / 4
)

// check returns an error if the compression is unknown, or if n compressed bytes cannot make the claimed size.
func (p *packed) check(n uint64) error {
	most := uint64(mostZlib)
	switch p.how {
	case elf.COMPRESS_ZLIB:
	case elf.COMPRESS_ZSTD:
		most = mostZstd
	default:
		return fmt.Errorf("%w: compression type %d", ErrCompression, p.how)
	}
	if p.size > most*n {
		return fmt.Errorf("%w: %d bytes of compressed data cannot stand for %d", ErrCompression, n, p.size)
	}
	return nil
}

const (
	zdebugPrefix = ".zdebug_"
	zdebugMagic  = "ZLIB" // before the size, 8 bytes big-endian
	zdebugHead   = 12
)

// Compressed reports whether SHF_COMPRESSED is set.
func (s *Section) Compressed() bool {
	return s.Flags&elf.SHF_COMPRESSED != 0 || strings.HasPrefix(s.Name, zdebugPrefix)
}

// packing reads how a compressed section is compressed. sp is its bytes in the file.
// Errors: I/O, the budget and ErrCompression.
func (e *ELF) packing(s *Section, sp model.Span) (p packed, err error) {
	n := int64(zdebugHead)
	if s.Flags&elf.SHF_COMPRESSED != 0 {
		n = elf64.ChdrSize
	}
	b, err := e.src.read(model.Span{Off: sp.Off, Len: min(n, sp.Len)})
	switch {
	case err != nil:
		return p, err
	case int64(len(b)) < n:
		return p, fmt.Errorf("%w: %d bytes", ErrCompression, len(b))
	case n == elf64.ChdrSize:
		p = packed{elf.CompressionType(e.Order.Uint32(b)), elf64.ChdrSize, e.Order.Uint64(b[8:])}
	case string(b[:4]) != zdebugMagic:
		return p, fmt.Errorf("%w: no %q at the start", ErrCompression, zdebugMagic)
	default:
		p = packed{elf.COMPRESS_ZLIB, zdebugHead, binary.BigEndian.Uint64(b[4:])}
	}
	return p, p.check(uint64(sp.Len - n))
}

// DataSize returns the size in bytes of the result of [ELF.SectionData], without decompression. Call it only while
// the object is visited. Errors: I/O, the budget, and [ErrCompression], also if the stated size is impossible.
func (e *ELF) DataSize(i int) (uint64, error) {
	s := &e.Sections[i]
	if !s.Compressed() || s.Type == elf.SHT_NOBITS || e.src.r == nil {
		return s.Size, nil
	}
	sp, _ := e.src.clip(s.Offset, s.Size)
	p, err := e.packing(s, sp)
	return p.size, err
}

// inflate decompresses a section whose bytes in the file are sp. The size that the
// section claims is held before anything is read, and no byte beyond it is written.
func (e *ELF) inflate(s *Section, sp model.Span, limit int64) ([]byte, error) {
	p, err := e.packing(s, sp)
	switch {
	case err != nil:
		return nil, err
	case p.size > uint64(limit):
		return nil, fmt.Errorf("%d bytes after decompression, more than %d", p.size, limit)
	case p.size == 0:
		return nil, nil
	}
	if err := e.src.hold(int64(p.size)); err != nil {
		return nil, err
	}
	body := model.Span{Off: sp.Off + int64(p.head), Len: sp.Len - int64(p.head)}
	if p.how == elf.COMPRESS_ZLIB {
		return e.unzlib(body, p.size)
	}
	return e.unzstd(body, p.size)
}

// inflateStep is the number of bytes that are decompressed between two looks at the budget, and
// bytesPerStep how many of them are one step of work.
const inflateStep, bytesPerStep = 1 << 20, 16

// unzlib decompresses n bytes, reading the file as it goes.
func (e *ELF) unzlib(sp model.Span, n uint64) ([]byte, error) {
	z, err := zlib.NewReader(&metered{e.src, sp})
	if err != nil {
		return nil, e.failure(err)
	}
	defer z.Close()
	return e.unpack(z, n)
}

// unzstd decompresses n bytes, reading the file as it goes.
func (e *ELF) unzstd(sp model.Span, n uint64) ([]byte, error) {
	z := unpack.NewZstd(bufio.NewReader(&metered{e.src, sp}), e.src.holding)
	defer z.Close()
	return e.unpack(z, n)
}

// unpack reads n bytes of decompressed data, after which there must be no more.
func (e *ELF) unpack(z io.Reader, n uint64) ([]byte, error) {
	out := make([]byte, n)
	for at := 0; at < len(out); at += inflateStep {
		if err := e.src.budget.Step(inflateStep / bytesPerStep); err != nil {
			return nil, e.src.fail(err)
		}
		if _, err := io.ReadFull(z, out[at:min(at+inflateStep, len(out))]); err != nil {
			return nil, e.failure(err)
		}
	}
	switch _, err := io.ReadFull(z, make([]byte, 1)); {
	case err == nil:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrCompression, n)
	case err != io.EOF: // the checksum is wrong
		return nil, e.failure(err)
	}
	return out, nil
}

// failure returns the error of the file or the budget if there was one, else that the
// compressed data are bad.
func (e *ELF) failure(err error) error {
	if first := e.src.first(); first != nil {
		return first
	}
	if errors.Is(err, ErrCompression) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrCompression, err)
}

// metered reads a span of a source in order.
type metered struct {
	src  source
	left model.Span
}

func (m *metered) Read(b []byte) (int, error) {
	if m.left.Len == 0 {
		return 0, io.EOF
	}
	b = b[:min(int64(len(b)), m.left.Len)]
	if err := m.src.fill(b, m.left.Off); err != nil {
		return 0, err
	}
	m.left.Off, m.left.Len = m.left.Off+int64(len(b)), m.left.Len-int64(len(b))
	return len(b), nil
}
