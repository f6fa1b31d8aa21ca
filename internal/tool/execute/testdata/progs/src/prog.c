/* A program without libc. Its stack has recursion, alloca, a realigned frame, a
   call by way of a shared object, and a leaf that reads from address 8. With
   want_signal it does so again in a handler of the signal. With want_wait it
   waits there instead. On AMD64 it has a second thread. */
#include "sys.h"

extern int want_signal, want_wait;
extern int shared(int (*f)(int), int n);
extern void __restore_rt(void);

static volatile int ready;

__attribute__((noinline)) static int leaf(volatile int *p) { return *p; }
__attribute__((noinline)) static int waiter(int n) {
  volatile int x = n;
  ready = 1;
  while (x) sys_pause();
  return x;
}
__attribute__((noinline)) int fault(int n) {
  if (want_wait) return waiter(n) + 2;
  return leaf((volatile int *)(8L * n)) + 1;
}
__attribute__((noinline)) void handler(int n) {
  volatile char a[32];
  a[n] = fault(2);
}
__attribute__((noinline)) int deep(int n) {
  volatile char a[64];
  a[n] = 1;
  return n ? deep(n - 1) + a[n] : shared(fault, 1) + 1;
}
__attribute__((noinline)) int realigned(int n) {
  _Alignas(64) volatile char a[64];
  volatile char *b = __builtin_alloca(n);
  a[n] = b[0] = 1;
  return deep(3) + a[0];
}
__attribute__((noinline)) int dynamic(int n) {
  volatile char *a = __builtin_alloca(n);
  a[0] = 1;
  return realigned(n) + a[0];
}
void thread_main(void) { waiter(7); }

void c_main(void) {
  struct { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; }
    action = { handler, SA_RESTORER | SA_SIGINFO, __restore_rt, 0 };
  if (want_signal) sys4(NR_rt_sigaction, SIGSEGV, (long)&action, 0, 8);
  if (start_thread()) while (!ready) ;
  dynamic(40);
  sys4(NR_exit_group, 0, 0, 0, 0);
}
