/* The code of a function ends where the source says that it is never reached. What follows has no FDE. */
extern int work(int);

__attribute__((section(".text.last"))) int endless(int *p)
{
	p[work(1)] = 3;
	while (p[2])
		p[2] = work(4);
	p[3]++;
	__builtin_unreachable();
}
