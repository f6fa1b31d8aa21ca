package lintcmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// limitFlags adds a flag for each of these limits.
func limitFlags(c *cobra.Command, l *budget.Limits, bounds []budget.Bound) {
	for _, b := range bounds {
		l.Set(b.Kind, b.Default)
		c.Flags().Var(&limit{b, l}, b.Flag, b.Help)
		program.Limit(c.Flags().Lookup(b.Flag))
		program.Values(c, b.Flag)
	}
}

// limit is a flag's value.
type limit struct {
	budget.Bound
	limits *budget.Limits
}

var _ pflag.Value = (*limit)(nil)

func (l *limit) String() string {
	if l.limits == nil {
		return "" // pflag asks a zero value
	}
	return l.Format(max(l.limits[l.Kind], 0))
}

func (l *limit) Type() string { return "limit" }

func (l *limit) Set(s string) error {
	v, err := l.Parse(s)
	if err == nil {
		l.limits.Set(l.Kind, v)
	}
	return err
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
