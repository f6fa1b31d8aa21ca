//go:build !linux

package command

func fixAddresses() (restore func()) { return func() {} }
