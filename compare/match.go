package compare

// matcher pairs the functions of two sides.
type matcher struct {
	a, b  []Function
	usedA []bool
	usedB []bool
	pairs [][2]*Function
}

// match pairs functions by properties that stay the same between two builds,
// the most reliable first: the name, another name for the same place and, for
// functions without a name on at least one side, the place in a section and
// finally the address.
func match(a, b []Function) (pairs [][2]*Function, restA, restB []*Function) {
	m := &matcher{a: a, b: b, usedA: make([]bool, len(a)), usedB: make([]bool, len(b))}
	m.by(func(f *Function) []string { return f.names()[:min(1, len(f.names()))] }, nil)
	m.by((*Function).names, nil)
	nameless := func(f, g *Function) bool { return f.Name == "" || g.Name == "" }
	m.by(func(f *Function) []string {
		if f.Section == "" {
			return nil
		}
		return []string{f.Section + "+" + hex(f.Offset)}
	}, nameless)
	m.by(func(f *Function) []string { return []string{hex(f.Start)} }, func(f, g *Function) bool {
		return nameless(f, g) && (f.Section == "" || g.Section == "")
	})
	for i, used := range m.usedA {
		if !used {
			restA = append(restA, &a[i])
		}
	}
	for i, used := range m.usedB {
		if !used {
			restB = append(restB, &b[i])
		}
	}
	return m.pairs, restA, restB
}

func (fn *Function) names() []string {
	if fn.Name == "" {
		return nil
	}
	return append([]string{fn.Name}, fn.Aliases...)
}

// by pairs the remaining functions that share a key.
func (m *matcher) by(keys func(*Function) []string, fit func(f, g *Function) bool) {
	inA, order := m.index(m.a, m.usedA, keys)
	inB, _ := m.index(m.b, m.usedB, keys)
	for _, k := range order {
		if len(inB[k]) > 0 {
			m.group(inA[k], inB[k], fit)
		}
	}
}

func (m *matcher) index(fs []Function, used []bool, keys func(*Function) []string) (map[string][]int, []string) {
	in := map[string][]int{}
	var order []string
	for i := range fs {
		if used[i] {
			continue
		}
		for _, k := range keys(&fs[i]) {
			if in[k] == nil {
				order = append(order, k)
			}
			in[k] = append(in[k], i)
		}
	}
	return in, order
}

// maxGroup limits the functions of one key that are compared with each other.
const maxGroup = 256

// group pairs the functions of a key. If there are several, such as file-local
// functions of one name, it first pairs equal ones, then the rest in the order
// of addresses, which links of the same inputs usually share.
func (m *matcher) group(as, bs []int, fit func(f, g *Function) bool) {
	rounds := []bool{true, false}
	if len(as) == 1 && len(bs) == 1 || len(as) > maxGroup || len(bs) > maxGroup {
		rounds = rounds[1:]
	}
	for _, alike := range rounds {
		from := 0
		for _, i := range as {
			for k := from; k < min(len(bs), from+maxGroup) && !m.usedA[i]; k++ {
				f, g := &m.a[i], &m.b[bs[k]]
				if m.usedB[bs[k]] || fit != nil && !fit(f, g) || alike && !same(f, g) {
					continue
				}
				m.usedA[i], m.usedB[bs[k]] = true, true
				m.pairs = append(m.pairs, [2]*Function{f, g})
			}
			for from < len(bs) && m.usedB[bs[from]] {
				from++
			}
		}
	}
}
