double circle(double radius);
double square(double side);
double parse(const char *shape);
