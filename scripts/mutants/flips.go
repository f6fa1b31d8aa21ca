package main

func flipAll(files []string, o *options) error { return nil }
