package corefile

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// Image is what is known of a running program, as a core would have it.
type Image struct {
	ABI     model.ABIInfo
	Threads []ThreadRegs
	Regions []Region
	Auxv    []byte      // pairs of a type and a value, words of 8 bytes
	Memory  io.ReaderAt // whose offsets are addresses
	PACMask uint64      // see [Core]
	Page    uint64      // bytes of a page
	Budget  *budget.Budget
}

// ThreadRegs are the general registers of a thread, as ptrace(2) returns them for NT_PRSTATUS.
type ThreadRegs struct {
	ID   int
	Regs []byte
}

// Region is a mapping in the memory of a program. Its path is empty or in brackets if it is in no
// file.
type Region struct {
	Mapping
	Permissions string // such as "r-xp"
}

// maxRegions bounds the mappings that are read of a process.
const maxRegions = 1 << 16

// ReadRegions reads the text of /proc/PID/maps.
func ReadRegions(r io.Reader) ([]Region, error) {
	var all []Region
	sc := bufio.NewScanner(r)
	for sc.Scan() && len(all) < maxRegions {
		// start-end perms offset dev inode path
		fs := strings.Fields(sc.Text())
		if len(fs) < 5 {
			continue
		}
		x := Region{Permissions: fs[1]}
		from, to, _ := strings.Cut(fs[0], "-")
		x.Path = strings.Join(fs[5:], " ")
		x.Start, _ = strconv.ParseUint(from, 16, 64)
		x.End, _ = strconv.ParseUint(to, 16, 64)
		x.Offset, _ = strconv.ParseUint(fs[2], 16, 64)
		all = append(all, x)
	}
	return all, sc.Err()
}

// NewCore returns a running program in the form of a core. Its Size is that of the memory that the
// program can write. Errors: registers that are not those of the ABI, and the budget.
func NewCore(im Image) (*Core, error) {
	c := &Core{ABI: im.ABI, PACMask: im.PACMask, r: im.Memory, order: binary.LittleEndian, budget: im.Budget, page: max(im.Page, 4096)}
	if im.ABI.Big {
		c.order = binary.BigEndian
	}
	if err := c.budget.Spend(budget.Memory, int64(len(im.Regions))*(mappingBytes+loadBytes)+int64(len(im.Threads))*threadBytes); err != nil {
		return nil, err
	}
	for _, x := range im.Regions {
		if x.Start >= x.End || x.End > 1<<63 || !strings.HasPrefix(x.Permissions, "r") {
			continue
		}
		c.loads = append(c.loads, load{x.Start, x.End - x.Start, int64(x.Start)})
		if strings.HasPrefix(x.Path, "/") {
			c.Files = append(c.Files, x.Mapping)
		}
		if strings.HasPrefix(x.Permissions, "rw") {
			c.Size += int64(min(x.End-x.Start, 1<<40))
		}
	}
	slices.SortStableFunc(c.loads, func(a, b load) int { return cmp.Compare(a.addr, b.addr) })
	c.place()
	l := layouts[im.ABI.Machine]
	for _, t := range im.Threads {
		if l == nil || len(t.Regs) < l.size {
			return nil, fmt.Errorf("%d bytes of registers of thread %d: is it a 32-bit program?", len(t.Regs), t.ID)
		}
		c.Threads = append(c.Threads, &Thread{t.ID, *registers(t.Regs, c.order, l.pc, l.regs)})
	}
	return c, c.auxiliary(im.Auxv)
}
