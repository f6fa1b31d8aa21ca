// GCC -O2 -fsplit-stack: the call of __morestack lies in the range of another call's landing pad, and throws nothing.
struct guard { ~guard(); long v[4]; };
long use(guard *);
long fail(long n) {
	guard g;
	long r = use(&g);
	if (__builtin_expect(r == n, 0)) throw r;
	return use(&g) + g.v[0];
}
