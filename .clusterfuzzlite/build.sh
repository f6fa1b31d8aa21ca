#!/bin/bash -eu
# Builds the fuzz target of libsframe for ClusterFuzzLite.
exec "$SRC/sframe-lint/oss-fuzz/libsframe/build.sh"
