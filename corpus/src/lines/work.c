#include "hold.h"

static inline int twice(int x)
{
	hold();
	return 2 * x;
}

int work(int x)
{
	int y = x + 1;

	return twice(y) + x;
}

void _start(void)
{
	for (;;)
		work(1);
}
