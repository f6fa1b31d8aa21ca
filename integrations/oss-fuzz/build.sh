#!/bin/bash -eu
# Copyright 2026 The sframe-lint authors. Under the Apache License, Version 2.0:
# http://www.apache.org/licenses/LICENSE-2.0
# Builds the fuzz targets of the module for OSS-Fuzz, each with its seeds and the files that
# it reads when it begins. The name of a fuzzer is that of its package and its function:
# reader_FuzzELF. Package testing runs the targets, see integrations/oss-fuzz/libfuzzer.
#   build.sh [--list] [REGEXP of "DIRECTORY TARGET"]
list=
if [ "${1:-}" = --list ]; then list=1; shift; fi
some=${1:-.}
module=$(go list -m)
harness=$module/integrations/oss-fuzz/libfuzzer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The targets are in the root module, the harness is in that of integrations.
cp go.mod "$work/go.mod"
cat go.sum integrations/go.sum > "$work/go.sum"
go mod edit -require="$module/integrations@v0.0.0" -replace="$module/integrations=$PWD/integrations" "$work/go.mod"

# register FILE TARGET...: adds a file to FILE's package that passes the targets on.
register() {
  local file=$1 target
  shift
  {
    grep -m 1 '^package ' "$file"
    echo "import \"$harness\""
    echo "func init() {"
    for target in "$@"; do echo "libfuzzer.Register(\"$target\", $target)"; done
    echo "}"
  } > "$work/register.go"
  echo "{\"Replace\": {\"$PWD/${file%_test.go}_libfuzzer_test.go\": \"$work/register.go\"}}" > "$work/overlay.json"
}

# build DIRECTORY TARGET: builds a fuzzer and its seeds.
build() {
  local dir=$1 target=$2 fuzzer=${1//[^A-Za-z0-9]/_}_$2
  go test -c -mod=mod -modfile="$work/go.mod" -buildmode=c-archive -overlay "$work/overlay.json" -tags libfuzzer -gcflags=all=-d=libfuzzer \
    -ldflags "-X $harness.name=$target -X $harness.dir=$dir" -o "$work/$fuzzer.a" "./$dir"
  # shellcheck disable=SC2086 # flags
  $CXX ${CXXFLAGS:-} $LIB_FUZZING_ENGINE "$work/$fuzzer.a" -o "$OUT/$fuzzer"
  mkdir -p "$OUT/sframe-lint/$dir" "$work/seeds"
  if [ -d "$dir/testdata/fuzz" ]; then
    mkdir -p "$OUT/sframe-lint/$dir/testdata"
    cp -r "$dir/testdata/fuzz" "$OUT/sframe-lint/$dir/testdata/"
  fi
  LIBFUZZER_SEEDS=$work/seeds "$OUT/$fuzzer" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  (cd "$work/seeds" && zip -q -r "$OUT/${fuzzer}_seed_corpus.zip" .)
  rm -rf "$work/seeds" "$work/$fuzzer.a"
}

if [ -z "$list" ]; then
  if [ "${SANITIZER:-}" = coverage ]; then
    echo "nothing to build: go test measures the coverage of the corpus" >&2
    exit 0
  fi
  mkdir -p "$OUT/sframe-lint"
  cp -r corpus "$OUT/sframe-lint/"
fi
# A test of cmd/sframe-fuzz has a target in the text of a program that it writes.
grep -rl --include='*_test.go' '^func Fuzz.*testing\.F) {$' . | grep -v '^./cmd/sframe-fuzz/' | sort > "$work/files"
while read -r file; do
  dir=$(dirname "${file#./}")
  targets=()
  for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*testing\.F) {$/\1/p' "$file"); do
    if [[ "$dir $target" =~ $some ]]; then targets+=("$target"); fi
  done
  if [ -n "$list" ]; then
    for target in "${targets[@]}"; do echo "$dir $target"; done
  elif [ ${#targets[@]} -gt 0 ]; then
    register "${file#./}" "${targets[@]}"
    for target in "${targets[@]}"; do build "$dir" "$target"; done
  fi
done < "$work/files"
