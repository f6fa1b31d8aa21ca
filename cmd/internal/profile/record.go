package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
)

// record takes the line of a record, and returns the sample that ends before it.
func (r *Reader) record(line string) (done *Sample, err error) {
	done = r.take()
	_, line, _ = strings.Cut(line, "PERF_RECORD_")
	kind, rest, _ := strings.Cut(line, " ")
	switch name, _, _ := strings.Cut(kind, "("); name {
	case "MMAP", "MMAP2":
		err = r.mapped(rest)
	case "COMM":
		if rest, ok := strings.CutPrefix(rest, "exec: "); ok {
			pid, tid := ids(rest[strings.LastIndex(rest, ":")+1:], "/")
			r.clear(pid)
			err = r.know(tid, pid)
		}
	case "FORK":
		err = r.forked(kind)
	case "EXIT":
		_, at, _ := strings.Cut(kind, "(")
		at, _, _ = strings.Cut(at, ")")
		r.exited(ids(at, ":"))
	case "SAMPLE": // (IP, 0x2): 14171/14171: 0x55c4a287b19a period: 2000000 addr: 0
		r.begin("", false)
		r.inRaw = false
		_, rest, _ = strings.Cut(line, "): ")
		at, _, _ := strings.Cut(rest, ":")
		pid, tid := ids(at, "/")
		r.sample.Thread = tid
		err = r.know(tid, pid)
	}
	return done, err
}

// know notes the process of a thread. Errors: the budget.
func (r *Reader) know(tid, pid int) error {
	_, known := r.threads[tid]
	if tid <= 0 || pid <= 0 || !known && len(r.threads) == maxKnown {
		return nil
	}
	if !known {
		if err := r.budget.Spend(budget.Memory, knownBytes); err != nil {
			return err
		}
	}
	r.threads[tid] = pid
	return nil
}

// exited forgets a thread and, with its first thread, a process.
func (r *Reader) exited(pid, tid int) {
	if _, ok := r.threads[tid]; ok {
		delete(r.threads, tid)
		r.budget.Release(budget.Memory, knownBytes)
	}
	if pid == tid && r.procs[pid] != nil {
		r.clear(pid)
		delete(r.procs, pid)
		r.budget.Release(budget.Memory, knownBytes)
	}
}

// ids reads two numbers.
func ids(s, sep string) (a, b int) {
	x, y, _ := strings.Cut(strings.TrimSpace(s), sep)
	return int(parse(x, 10)), int(parse(y, 10))
}

// process returns a process, which may be new; nil if there are too many. Errors: the budget.
func (r *Reader) process(pid int) (*Process, error) {
	p := r.procs[pid]
	if p != nil || len(r.procs) == maxKnown {
		return p, nil
	}
	if err := r.budget.Spend(budget.Memory, knownBytes); err != nil {
		return nil, err
	}
	p = &Process{ID: pid}
	r.change(p)
	r.procs[pid] = p
	return p, nil
}

// change notes that the maps of a process are other ones.
func (r *Reader) change(p *Process) {
	r.changes++
	p.Changes = r.changes
}

// clear forgets the maps of a process.
func (r *Reader) clear(pid int) {
	if p := r.procs[pid]; p != nil {
		r.maps -= len(p.Maps)
		r.budget.Release(budget.Memory, p.spent)
		p.Maps, p.spent = nil, 0
		r.change(p)
	}
}

// spend spends memory for the maps of a process, and steps for those that are moved.
func (r *Reader) spend(p *Process, bytes int64, steps int) error {
	if err := r.budget.Step(int64(steps)); err != nil {
		return err
	}
	if err := r.budget.Spend(budget.Memory, bytes); err != nil {
		return err
	}
	p.spent += bytes
	return nil
}

// forked takes PERF_RECORD_FORK(14172:14172):(14171:14171): the process and the thread that
// are new, and those that made them.
func (r *Reader) forked(kind string) error {
	_, s, _ := strings.Cut(kind, "(")
	s, from, _ := strings.Cut(s, "):(")
	pid, tid := ids(s, ":")
	parent, _ := ids(strings.TrimSuffix(from, ")"), ":")
	if err := r.know(tid, pid); err != nil {
		return err
	}
	if pid == parent {
		return nil
	}
	r.clear(pid)
	old := r.procs[parent]
	if old == nil {
		return nil
	}
	n := len(old.Maps)
	if r.maps+n > maxMaps {
		return nil
	}
	p, err := r.process(pid)
	if p == nil || err != nil {
		return err
	}
	if err := r.spend(p, int64(n)*mapBytes, n); err != nil {
		return err
	}
	p.Maps = slices.Clone(old.Maps)
	r.change(p)
	r.maps += n
	return nil
}

// mapped takes a mapping of code:
//
//	14171/14171: [0x55c4a287b000(0x1000) @ 0x1000 fe:00 10027968 1210672846]: r-xp /usr/bin/prog
//
// After the offset, the text has the build ID in angle brackets instead if perf has recorded that.
func (r *Reader) mapped(s string) error {
	at, s, ok := strings.Cut(s, ": [")
	where, s, ok2 := strings.Cut(s, "]: ")
	perms, path, ok3 := strings.Cut(s, " ")
	if !ok || !ok2 || !ok3 {
		return nil
	}
	var m Mapping
	from, rest, _ := strings.Cut(where, "(")
	size, rest, _ := strings.Cut(rest, ")")
	fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(rest), "@"))
	start, ok := parseHex(from)
	length, ok2 := parseHex(size)
	if !ok || !ok2 || len(fields) == 0 || start+length < start || start+length > kernelStart || length == 0 {
		return nil
	}
	m.Start, m.End = start, start+length
	m.Offset, _ = parseHex(fields[0])
	if len(fields) == 2 {
		m.BuildID = strings.Clone(strings.ToLower(strings.Trim(fields[1], "<>")))
	}
	if strings.Contains(perms, "x") && strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") {
		m.Path = strings.Clone(path) // without the rest of the line
	}
	pid, tid := ids(at, "/")
	if err := r.know(tid, pid); err != nil {
		return err
	}
	p, err := r.process(pid)
	if p == nil || err != nil {
		return err
	}
	return r.add(p, m)
}

// add adds a mapping, which replaces what was there. One without a path is not kept.
func (r *Reader) add(p *Process, m Mapping) error {
	from, _ := slices.BinarySearchFunc(p.Maps, m.Start, func(x Mapping, at uint64) int { return cmp.Compare(x.End-1, at) })
	to := from
	var parts []Mapping
	if from < len(p.Maps) && p.Maps[from].Start < m.Start {
		x := p.Maps[from]
		x.End = m.Start
		parts = append(parts, x)
	}
	for to < len(p.Maps) && p.Maps[to].Start < m.End {
		to++
	}
	if m.Path != "" {
		parts = append(parts, m)
	}
	if to > from && p.Maps[to-1].End > m.End {
		x := p.Maps[to-1]
		x.Offset += m.End - x.Start
		x.Start = m.End
		parts = append(parts, x)
	}
	more := len(parts) - (to - from)
	if to == from && len(parts) == 0 || more > 0 && (len(p.Maps)+more > maxProcess || r.maps+more > maxMaps) {
		return nil
	}
	bytes := int64(0)
	if m.Path != "" {
		bytes = mapBytes + int64(len(m.Path)+len(m.BuildID))
	}
	if err := r.spend(p, bytes, len(p.Maps)); err != nil {
		return err
	}
	p.Maps = slices.Replace(p.Maps, from, to, parts...)
	r.change(p)
	r.maps += more
	return nil
}
