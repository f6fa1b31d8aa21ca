package program

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// ErrInterrupted means that the user has interrupted the program, or the system ends
// it.
var ErrInterrupted = errors.New("interrupted")

// UntilInterrupted returns a context that ends with [ErrInterrupted] when the program
// is asked to end (SIGINT or SIGTERM). It can clean up then; a second signal ends it at
// once.
func UntilInterrupted() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, func() { cancel(nil) }
}
