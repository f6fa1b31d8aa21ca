// Command proof executes the programs of the script build of this directory step by step. It checks their SFrame data
// and the tracker's results, writes a report for each run, and prints a table of all reports.
//
//	go run -C scripts ./proof -tools TOOLDIR -lua TESTS -realworld DIR OUTDIR
//
// DIR is the output of scripts/realworld/build, whose programs are also executed. TESTS is the directory of the test
// suite of Lua 5.4, which build does not fetch. To repeat a run, remove OUTDIR/reports/NAME.json.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

var (
	tools = flag.String("tools", "", "execute what has no report yet with qemu from `DIR`, of scripts/toolchains")
	lua   = flag.String("lua", "", "`DIR` of Lua's tests")
	real  = flag.String("realworld", "", "`DIR` of scripts/realworld/build")
	only  = flag.String("run", "", "execute the runs that match `REGEXP`")
)

func main() {
	root.Enter()
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := campaign(ctx, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

// program is a program that can be executed.
type program struct {
	name, abi, producer, flags string
	path                       string // of one of scripts/realworld
}

// result is a run and its report.
type result struct {
	run
	program
	found
}

// found is what a run has found.
type found struct {
	Report  *execute.Report `json:"report"`
	Claims  *execute.Claims `json:"claims"`
	Seconds float64         `json:"seconds"`
}

func campaign(ctx context.Context, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	programs, err := readPrograms(filepath.Join(out, "programs.tsv"))
	if err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	linked, err := readReal(*real)
	if err != nil {
		return err
	}
	for _, p := range linked {
		programs[p.name] = p
	}
	todo, err := readPlan(linked)
	if err != nil {
		return err
	}
	var all []result
	for _, r := range todo.Runs {
		p, ok := programs[r.Program]
		if !ok {
			fmt.Fprintf(os.Stderr, "proof: %s is not built\n", r.Program)
			continue
		}
		path := filepath.Join(out, "reports", r.name()+".json")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && *tools != "" && match.MatchString(r.name()) {
			if err := r.execute(ctx, out, p, path); err != nil {
				return fmt.Errorf("%s: %w", r.name(), err)
			}
		}
		x, err := corpus.Read[found](path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		all = append(all, result{r, p, x})
	}
	_, err = os.Stdout.Write(todo.tables(all))
	return err
}

// readPrograms reads what build made: name, ABI, producer and flags.
func readPrograms(path string) (map[string]program, error) {
	lines, err := readTable(path)
	all := map[string]program{}
	for _, f := range lines {
		if len(f) < 4 {
			return nil, fmt.Errorf("%s: %q", path, f)
		}
		all[f[0]] = program{name: f[0], abi: f[1], producer: f[2], flags: f[3]}
	}
	return all, err
}

// readTable reads lines of columns with tabs between them.
func readTable(path string) (lines [][]string, err error) {
	b, err := os.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		lines = append(lines, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return lines, err
}

// readReal returns the programs that scripts/realworld has linked with the newest GNU ld, in the order of its list.
func readReal(dir string) (all []program, err error) {
	if dir == "" {
		return nil, nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	list, err := readTable(filepath.Join(dir, "list.tsv"))
	newest := ""
	for _, x := range list { // path, tool, version, ABI, flags and kind
		parts := strings.Split(x[0], "/")
		if len(x) < 6 || x[1] != "ld" || x[5] != "exec" || len(parts) < 4 {
			continue
		}
		if x[2] > newest {
			all, newest = nil, x[2]
		}
		if x[2] == newest {
			name := strings.Join(append(parts[:3:3], filepath.Base(x[0])), "-")
			all = append(all, program{name, x[3], "gas " + x[2], x[4], filepath.Join(dir, x[0])})
		}
	}
	return all, err
}

// execute executes a run and writes its report.
func (r *run) execute(ctx context.Context, out string, p program, path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	empty, err := os.MkdirTemp("", "proof")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(empty) }()
	path0 := filepath.Join(out, r.Program, r.Exe)
	if p.path != "" {
		path0 = p.path
	}
	cfg := execute.Config{
		Path: path0, Args: []string{path0}, Dir: empty,
		Env:   []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C", "TZ=UTC0"},
		Qemu:  filepath.Join(*tools, "bin", "qemu-"+cmp.Or(map[string]string{"amd64": "x86_64"}[p.abi], p.abi)),
		Steps: uint64(r.Steps) * 1e6,
		Check: execute.Options{Every: 1000, Claims: &execute.Claims{Of: known.of}},
		Read:  reader.Options{NoSurvey: true},
	}
	for _, a := range r.Args {
		cfg.Args = append(cfg.Args, strings.Replace(strings.Replace(a, dirOut, out, 1), exe, path0, 1))
	}
	if r.Lua != "" {
		if *lua == "" {
			fmt.Fprintf(os.Stderr, "proof: %s: no -lua\n", r.name())
			return nil
		}
		cfg.Dir = *lua
	}
	in := os.DevNull
	if r.Stdin != "" {
		in = filepath.Join("scripts/proof", r.Stdin)
	}
	if cfg.Files[0], err = os.Open(in); err != nil {
		return err
	}
	defer cfg.Files[0].Close()
	log, err := os.Create(strings.TrimSuffix(path, ".json") + ".log")
	if err != nil {
		return err
	}
	defer log.Close()
	cfg.Files[1], cfg.Files[2] = log, log
	begin := time.Now()
	rep, err := execute.Emulate(ctx, cfg)
	if err != nil {
		return err
	}
	if rep.Exit.Cut == execute.Canceled {
		return context.Canceled
	}
	x := found{rep, cfg.Check.Claims, time.Since(begin).Seconds()}
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%-24s %9d steps %9.0f/s %d mismatches, %d claims, %d wrong\n", r.name(), rep.Stats.Steps, float64(rep.Stats.Steps)/x.Seconds,
		len(rep.Mismatches), sum3(x.Claims.Checked), sum3(x.Claims.Wrong))
	return os.WriteFile(path, b, 0o666)
}

func sum3(n [3]uint64) uint64 { return n[0] + n[1] + n[2] }
