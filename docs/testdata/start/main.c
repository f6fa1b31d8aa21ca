#include "shapes.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	double area = 0;

	for (int i = 1; i < argc; i++)
		area += parse(argv[i]);
	printf("%g\n", area);
	return 0;
}
