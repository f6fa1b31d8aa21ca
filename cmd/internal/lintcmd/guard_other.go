//go:build !linux

package lintcmd

// guarded reports false: programs are traced on Linux.
func (a *app) guarded() (status int, ok bool) { return 0, false }
