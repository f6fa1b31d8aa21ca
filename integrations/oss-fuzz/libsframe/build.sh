#!/bin/bash -eu
# Copyright 2026 The sframe-lint authors. Under the Apache License, Version 2.0:
# http://www.apache.org/licenses/LICENSE-2.0
# Builds the fuzz target of libsframe with the mutator and its seeds for OSS-Fuzz and ClusterFuzzLite.
#   BINUTILS=DIR SFRAME_LINT=DIR OUT=DIR CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer build.sh
# BINUTILS is a source tree of binutils 2.46 or later, SFRAME_LINT one of sframe-lint.
binutils=${BINUTILS:-$SRC/binutils-gdb}
lint=${SFRAME_LINT:-$SRC/sframe-lint}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/config.h" <<EOF
#define HAVE_BYTESWAP_H 1
#define HAVE_DECL_BSWAP_16 1
#define HAVE_DECL_BSWAP_32 1
#define HAVE_DECL_BSWAP_64 1
#define PACKAGE_VERSION "fuzz"
EOF
# shellcheck disable=SC2086 # flags
for file in "$binutils"/libsframe/sframe*.c "$lint/integrations/oss-fuzz/libsframe/target.c"; do
  $CC ${CFLAGS:--g -O1} -w -D_GNU_SOURCE -DHAVE_CONFIG_H -I"$work" -I"$binutils/include" -I"$binutils/libsframe" \
    -I"$binutils/libctf" -c "$file" -o "$work/$(basename "$file" .c).o"
done
mutator=
if [ "${FUZZING_ENGINE:-libfuzzer}" = libfuzzer ]; then
  (cd "$lint" && go build -C integrations -tags mutator -buildmode=c-archive -o "$work/mutator.a" ./afl)
  mutator="-Wl,-u,LLVMFuzzerCustomMutator,-u,LLVMFuzzerCustomCrossOver $work/mutator.a"
fi
# shellcheck disable=SC2086 # flags, and the mutator that may be none
$CXX ${CXXFLAGS:-} "$work"/*.o $LIB_FUZZING_ENGINE $mutator -lpthread -o "$OUT/libsframe_fuzzer"

(cd "$lint" && CGO_ENABLED=0 go run ./cmd/sframe-fuzz export --count 200 --out "$work/corpus")
(cd "$work/corpus/seeds" && zip -q -r "$OUT/libsframe_fuzzer_seed_corpus.zip" .)
cp "$work/corpus/sframe.dict" "$OUT/libsframe_fuzzer.dict"
# A count of the input decides how much libsframe allocates: up to 2 GiB and more, which the sanitizer fills.
printf '[libfuzzer]\ndict = libsframe_fuzzer.dict\nmax_len = 16384\n[asan]\nmax_allocation_size_mb = 64\nallocator_may_return_null = 1\n' \
  > "$OUT/libsframe_fuzzer.options"
