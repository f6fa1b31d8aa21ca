#include "shapes.h"

double circle(double radius)
{
	return 3.14159265358979 * radius * radius;
}

double square(double side)
{
	return side * side;
}
