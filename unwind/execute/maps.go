//go:build linux && (amd64 || arm64)

package execute

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/unwind/corefile"
)

// mapping is a mapping with code, as /proc/PID/maps has it.
type mapping struct {
	corefile.Mapping
	vdso bool
}

// maxMappings bounds the mappings with code that are followed.
const maxMappings = 1 << 16

// codeMappings returns the mappings of a process that can be executed, by address.
func codeMappings(pid int) ([]mapping, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []mapping
	sc := bufio.NewScanner(f)
	for sc.Scan() && len(all) < maxMappings {
		// start-end perms offset dev inode path
		fs := strings.Fields(sc.Text())
		if len(fs) < 5 || len(fs[1]) < 3 || fs[1][2] != 'x' {
			continue
		}
		from, to, ok := strings.Cut(fs[0], "-")
		if !ok {
			continue
		}
		var m mapping
		m.Start, _ = strconv.ParseUint(from, 16, 64)
		m.End, _ = strconv.ParseUint(to, 16, 64)
		m.Offset, _ = strconv.ParseUint(fs[2], 16, 64)
		if len(fs) > 5 {
			m.Path = strings.Join(fs[5:], " ")
		}
		m.vdso = m.Path == "[vdso]"
		all = append(all, m)
	}
	return all, sc.Err()
}
