//go:build linux

package main

func mapInputs() []input { return nil }
