#!/bin/bash -eu
# Copyright 2026 The sframe-lint authors. Under the Apache License, Version 2.0:
# http://www.apache.org/licenses/LICENSE-2.0
# Builds the fuzz target of libsframe for ClusterFuzzLite.
exec "$SRC/sframe-lint/integrations/oss-fuzz/libsframe/build.sh"
