/* System calls, and where threads start: there RA is undefined. */
#define SIGSEGV 11
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000

#if defined __x86_64__
#define NR_rt_sigaction 13
#define NR_exit_group 231
static inline long sys4(long n, long a, long b, long c, long d) {
  register long r10 __asm__("r10") = d;
  long r;
  __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return r;
}
static inline void sys_pause(void) { sys4(34, 0, 0, 0, 0); }
#define START(name, main) \
  __asm__(".globl " name "\n.type " name ",@function\n" name ":\n.cfi_startproc\n.cfi_undefined rip\n" \
          "xor %ebp,%ebp\nand $-16,%rsp\ncall " main "\nhlt\n.cfi_endproc\n.size " name ",.-" name "\n")
START("thread_start", "thread_main");
static inline int start_thread(void) {
  static char stack[4096] __attribute__((aligned(16)));
  long r;
  __asm__ volatile("xor %%r8d,%%r8d\nxor %%r10d,%%r10d\nxor %%edx,%%edx\nsyscall\ntest %%eax,%%eax\njnz 1f\njmp thread_start\n1:"
                   : "=a"(r) : "a"(56L), "D"(0x10f00L), "S"(stack + sizeof stack - 64)
                   : "rcx", "r11", "r8", "r10", "rdx", "memory");
  return r > 0;
}
#elif defined __aarch64__
#define NR_rt_sigaction 134
#define NR_exit_group 94
static inline long sys4(long n, long a, long b, long c, long d) {
  register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}
static inline void sys_pause(void) { sys4(73, 0, 0, 0, 0); }
#define START(name, main) \
  __asm__(".globl " name "\n.type " name ",%function\n" name ":\n.cfi_startproc\n.cfi_undefined x30\n" \
          "mov x29,0\nmov x30,0\nbl " main "\nbrk 0\n.cfi_endproc\n.size " name ",.-" name "\n")
static inline int start_thread(void) { return 0; }
#elif defined __s390x__
#define NR_rt_sigaction 174
#define NR_exit_group 248
static inline long sys4(long n, long a, long b, long c, long d) {
  register long r1 __asm__("1") = n, r2 __asm__("2") = a, r3 __asm__("3") = b, r4 __asm__("4") = c, r5 __asm__("5") = d;
  __asm__ volatile("svc 0" : "+r"(r2) : "r"(r1), "r"(r3), "r"(r4), "r"(r5) : "memory");
  return r2;
}
static inline void sys_pause(void) { sys4(29, 0, 0, 0, 0); }
#define START(name, main) \
  __asm__(".globl " name "\n.type " name ",@function\n" name ":\n.cfi_startproc\n.cfi_undefined 14\n" \
          "lghi %r11,0\naghi %r15,-160\nbrasl %r14," main "\n.short 0\n.cfi_endproc\n.size " name ",.-" name "\n")
static inline int start_thread(void) { return 0; }
#endif

START("_start", "c_main");
