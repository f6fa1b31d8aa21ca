// A program whose rows are right, but for what the linker writes.
__attribute__((noipa)) static int twice(int x) { return 2 * x; }

int main(void) { return twice(3) != 6; }
