// longjmp, tail calls, a variable array, and a function that realigns its stack.
#include <setjmp.h>

static jmp_buf env;
static volatile int sink;

__attribute__((noipa)) static void deep(int n)
{
    volatile char b[64];
    b[0] = n;
    if (!n)
        longjmp(env, 3);
    deep(n - 1);
    b[1] = b[0];
}
__attribute__((noipa)) static int second(int x)
{
    volatile int y = x * 3;
    return y + 1;
}
__attribute__((noipa)) static int first(int x)
{
    volatile int y = x * 2;
    return second(y);
}
__attribute__((noipa)) static int variable(int n)
{
    volatile char b[n];
    for (int i = 0; i < n; i++)
        b[i] = i;
    return b[n - 1];
}

int main(void)
{
    for (volatile int i = 0; i < 4; i++)
        if (setjmp(env) == 0)
            deep(5);
        else
            sink++;
    sink += first(sink) + variable(100);
    return 0;
}
