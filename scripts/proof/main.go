// Command proof executes the programs that the script build of this directory makes, step by
// step, and checks their SFrame data. It keeps the report of each run, and prints a table of
// all.
//
//	go run ./scripts/proof -lint SFRAME-LINT -tools TOOLDIR -lua TESTS OUTDIR
//	go run ./scripts/proof -write docs/proof.md OUTDIR
//
// TESTS is the directory of Lua's test suite, version 5.4, which is not among the sources that
// build fetches. A run whose report is there is not repeated: remove OUTDIR/reports/NAME.json.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/corpus"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/unwind/execute"
)

var (
	lint  = flag.String("lint", "", "execute what has no report yet with `FILE`, a sframe-lint")
	tools = flag.String("tools", "", "`DIR` of scripts/toolchains, for qemu")
	lua   = flag.String("lua", "", "`DIR` of Lua's tests")
	only  = flag.String("run", "", "execute the runs that match `REGEXP`")
	write = flag.String("write", "", "write the tables to `FILE`, between its marks")
)

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := campaign(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

// program is a line of programs.tsv.
type program struct{ abi, producer, flags string }

// result is a run and its report.
type result struct {
	run
	program
	report *execute.Report
}

func campaign(out string) error {
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
	todo, err := readPlan()
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
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && *lint != "" && match.MatchString(r.name()) {
			if err := r.execute(out, p, path); err != nil {
				return fmt.Errorf("%s: %w", r.name(), err)
			}
		}
		rep, err := corpus.Read[*execute.Report](path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		all = append(all, result{r, p, rep})
	}
	return page.Write(*write, "executions", todo.tables(all))
}

// readPrograms reads what build made: name, ABI, producer and flags.
func readPrograms(path string) (map[string]program, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := map[string]program{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 4 {
			return nil, fmt.Errorf("%s: %q", path, line)
		}
		all[f[0]] = program{f[1], f[2], f[3]}
	}
	return all, nil
}

// execute executes a run and writes its report and its truth file.
func (r *run) execute(out string, p program, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	empty, err := os.MkdirTemp("", "proof")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(empty) }()
	dir := empty
	if r.Lua != "" {
		if *lua == "" {
			fmt.Fprintf(os.Stderr, "proof: %s: no -lua\n", r.name())
			return nil
		}
		dir = *lua
	}
	args := []string{"trace", "--run", "--format", "json", "--output", path + ".part", "--steps", strconv.Itoa(r.Steps * 1e6)}
	if arch, ok := map[string]string{"aarch64": "aarch64", "s390x": "s390x"}[p.abi]; ok {
		args = append(args, "--qemu", filepath.Join(*tools, "bin", "qemu-"+arch))
	}
	args = append(args, "--", filepath.Join(out, r.Program, r.Exe))
	for _, a := range r.Args {
		args = append(args, strings.Replace(a, dirOut, out, 1))
	}
	cmd := exec.Command(*lint, args...)
	cmd.Dir = dir
	if r.Stdin != "" {
		in, err := os.Open(filepath.Join(source(), r.Stdin))
		if err != nil {
			return err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	begin := time.Now()
	log, err := os.Create(strings.TrimSuffix(path, ".json") + ".log")
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stderr = log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return err // 1: there are mismatches
	}
	if err := os.Rename(path+".part", path); err != nil {
		return err
	}
	rep, err := corpus.Read[*execute.Report](path)
	if err != nil {
		return err
	}
	n, t := rep.Stats.Steps, time.Since(begin).Seconds()
	fmt.Fprintf(os.Stderr, "%-24s %9d steps %9d checked %7.0f/s %d mismatches\n", r.name(), n, rep.Stats.Checked, float64(n)/t, len(rep.Mismatches))
	return nil
}

// source is the directory of this program in the module.
func source() string { return filepath.Join("scripts", "proof") }
