/* A small program without a C library, whose functions make compilers emit the kinds of
   CFI that SFrame has to follow. src/ABI/program.s are what gcc 12 makes of it; see
   src/c/README.md. */

typedef __builtin_va_list args;
typedef unsigned long size;

struct node {
	struct node *left, *right;
	const char *key;
	long value;
};

static struct node pool[64];
static int used;

/* A leaf. */
static int compare(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

__attribute__((noinline, noreturn, cold)) static void fail(const char *why)
{
	(void)why;
	for (;;)
		__builtin_trap();
}

/* Recursion, and a cold part. */
__attribute__((noinline)) struct node *insert(struct node *at, const char *key, long value)
{
	int order;
	if (!at) {
		if (__builtin_expect(used == 64, 0))
			fail(key);
		at = &pool[used++];
		at->key = key;
		at->value = value;
		return at;
	}
	order = compare(key, at->key);
	if (order < 0)
		at->left = insert(at->left, key, value);
	else if (order > 0)
		at->right = insert(at->right, key, value);
	else
		at->value = value;
	return at;
}

/* Calls through a pointer, with many registers saved. */
__attribute__((noinline)) long walk(const struct node *at, long (*visit)(const struct node *, void *), void *data)
{
	long sum = 0;
	for (; at; at = at->right) {
		sum += walk(at->left, visit, data);
		sum += visit(at, data) * (sum ^ at->value);
	}
	return sum;
}

/* Variable arguments. */
__attribute__((noinline)) long total(int count, ...)
{
	args list;
	long sum = 0;
	__builtin_va_start(list, count);
	while (count-- > 0)
		sum += __builtin_va_arg(list, long);
	__builtin_va_end(list);
	return sum;
}

__attribute__((noinline)) void fill(char *at, size n, char with)
{
	while (n--)
		*(volatile char *)at++ = with;
}

/* An array of a length that is known only at run time: a frame pointer. */
__attribute__((noinline)) long scratch(size n)
{
	char array[n];
	fill(array, n, 1);
	return array[n / 2];
}

/* A local of an alignment beyond the stack's, with stack arguments: the realigned frame
   of AMD64 keeps the old stack pointer in a register. */
__attribute__((noinline)) long aligned(size n, long a, long b, long c, long d, long e, long f, long g)
{
	char block[64] __attribute__((aligned(64)));
	char *more = __builtin_alloca(n);
	fill(block, sizeof block, (char)f);
	fill(more, n, (char)g);
	return a + b + c + d + e + block[3] + more[n - 1];
}

/* A frame beyond a page. */
__attribute__((noinline)) long large(void)
{
	char buffer[20000];
	fill(buffer, sizeof buffer, 2);
	return buffer[19999];
}

/* A branch table. */
__attribute__((noinline)) long choose(int which, long x)
{
	switch (which) {
	case 0: return total(1, x);
	case 1: return scratch((size)x);
	case 2: return large();
	case 3: return aligned((size)x, 1, 2, 3, 4, 5, 6, 7);
	case 4: return total(3, x, x, x);
	case 5: return walk(0, 0, 0);
	default: return 0;
	}
}

/* A tail call. */
static long visit(const struct node *at, void *data)
{
	return choose((int)at->value, *(long *)data);
}

int main(void)
{
	static const char *const keys[] = {"hop", "bar", "foo", "qux", "baz", "zap"};
	struct node *root = 0;
	long data = 40, i;
	for (i = 0; i < 6; i++)
		root = insert(root, keys[i], i);
	return (int)walk(root, visit, &data);
}
