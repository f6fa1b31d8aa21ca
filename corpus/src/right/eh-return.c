/* Functions that return to a handler: they store its address in RA's slot. */
extern long work(long);
extern void get(void *);
extern void *handler;

void install(long offset, void *to)
{
	long n = work(offset);
	__builtin_eh_return(n, to);
}

long may_install(long offset, void *to, long plain)
{
	char buf[200];
	if (plain)
		return work((long)buf);
	work(offset);
	__builtin_eh_return(offset, to);
}

void install_global(long offset)
{
	char buf[64];
	get(buf);
	__builtin_eh_return(offset, handler);
}
