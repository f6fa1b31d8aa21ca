/* Compiled with -O2 -mpacked-stack -mbackchain -msoft-float: saved registers are in other slots than usual. */
extern long work(void *);

long packed(long n)
{
	char buf[200];
	return work(buf) + work(buf + n) + n;
}

long grows(long n)
{
	char buf[n];
	return work(buf) + n;
}

long no_frame(long n)
{
	return n ? work((void *)n) : 0;
}
