/* Takes a word of the stack for a moment, which no .cfi_ directive says. */
static inline void hold(void)
{
#if defined __x86_64__
	__asm__ volatile("pushq %%rax\n\tnop\n\tpopq %%rax" ::: "memory");
#elif defined __aarch64__
	__asm__ volatile("sub sp, sp, 16\n\tnop\n\tadd sp, sp, 16" ::: "memory");
#elif defined __s390x__
	__asm__ volatile("aghi %%r15,-8\n\tnopr\n\taghi %%r15,8" ::: "memory");
#endif
}
