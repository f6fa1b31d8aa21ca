// The messages of java-profiler, which nobody reads here.
#pragma once

struct Log {
  template <class... Args> static void warn(const char *, Args...) {}
};
