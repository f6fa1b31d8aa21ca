#!/bin/bash -eu
# Builds every fuzz target of the module for OSS-Fuzz, with the corpus as seeds. The name of a
# fuzzer is that of its package and its function: reader_FuzzELF.
module=$(go list -m)
# A test of cmd/sframe-fuzz has a target in the text of a program that it writes.
grep -rl --include='*_test.go' '^func Fuzz.*testing\.F) {$' . | grep -v "^./cmd/sframe-fuzz/" | sort | while read -r file; do
  dir=$(dirname "${file#./}")
  grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | while read -r _ target; do
    compile_native_go_fuzzer_v2 "$module/$dir" "$target" "${dir//[^A-Za-z0-9]/_}_$target"
  done
done
go run ./oss-fuzz/seeds "$OUT"
