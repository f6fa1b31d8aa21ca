/* Reads the section that a driver is run with. Drivers in C and C++ include it. */
#ifndef SECTION_H
#define SECTION_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_section(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	size_t room = 0, n;

	if (!f)
		exit(2);
	*size = 0;
	do {
		if (*size == room && !(data = (char *)realloc(data, room = 2 * room + 4096)))
			exit(2);
		*size += n = fread(data + *size, 1, room - *size, f);
	} while (n);
	fclose(f);
	return data;
}

#endif
