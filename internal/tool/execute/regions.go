package execute

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// Mapping is a part of a file in the memory of the program.
type Mapping struct {
	Start, End uint64 // addresses
	Offset     uint64 // of Start in the file, bytes
	Path       string // as the program saw it
}

// Region is a mapping in the memory of a program. Its path is empty or in brackets if it belongs to no file.
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
