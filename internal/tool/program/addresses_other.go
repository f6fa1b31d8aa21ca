//go:build !linux

package program

func fixAddresses() (restore func()) { return func() {} }
