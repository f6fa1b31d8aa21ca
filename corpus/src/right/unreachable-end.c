/* aarch64-linux-gnu-gcc 12 -O2 -fPIC; ld -shared; strip */
extern int use(int *);
int last(int *d, int k)
{
	int v[4];
	v[1] = k;
	use(v);
	if (__builtin_expect(k > 3, 0)) {
		*(volatile int *)d = k;
		__asm__ volatile("" ::: "memory");
		__builtin_unreachable();
	}
	return v[k];
}
