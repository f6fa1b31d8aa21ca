__attribute__((noinline)) int shared(int (*f)(int), int n) {
  volatile int x = n;
  return f(x) + 1;
}
