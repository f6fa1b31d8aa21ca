package lintcmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// limitFlag adds the flag for limits.
func limitFlag(c *cobra.Command, l *budget.Limits, bounds []budget.Bound) {
	var rows []string
	for _, b := range bounds {
		rows = append(rows, fmt.Sprintf("%s\t%s (default %s)", b.Flag, strings.ReplaceAll(b.Help, "`", ""), b.Format(b.Default)))
	}
	program.Limits(c, &limits{bounds, l}, rows)
}

// limits is the value of the flag.
type limits struct {
	bounds []budget.Bound
	to     *budget.Limits
}

func (l *limits) String() string { return "" }
func (l *limits) Type() string   { return "limit" }

func (l *limits) Set(s string) error {
	var names []string
	name, text, _ := strings.Cut(s, "=")
	for _, b := range l.bounds {
		if names = append(names, b.Flag); b.Flag == name {
			v, err := b.Parse(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			l.to.Set(b.Kind, v)
			return nil
		}
	}
	return lookup.Unknown("limit", name, names, "")
}

// interruptible ends what runs with the arguments when the user interrupts it.
func (a *app) interruptible(run func(args []string) error) func(args []string) error {
	return func(args []string) error {
		ctx, stop := program.UntilInterrupted()
		defer stop()
		a.ctx = ctx
		ended := make(chan error, 1)
		go func() { ended <- run(args) }()
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Duration(a.grace.Load())): // it waits for standard input
			return program.Failed(context.Cause(ctx))
		}
	}
}

// grace is how long most commands may take to end after they were interrupted.
const grace = time.Second

// newBudget returns a budget of the command's limits, and a function that ends it.
func (a *app) newBudget() (*budget.Budget, context.CancelFunc) {
	ctx, cancel := budget.WithTimeout(a.ctx, a.limits, 0)
	return budget.New(ctx, a.limits), cancel
}

// budgetError returns the reason why what was done with a budget is not whole, nil if it is.
func budgetError(b *budget.Budget) error {
	for _, e := range b.Exceeded() {
		return e
	}
	return b.Err()
}
