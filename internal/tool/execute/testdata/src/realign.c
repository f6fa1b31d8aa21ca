// GCC restores FP before it frees the frame, and the rows after that are wrong.
__attribute__((noipa)) static int realigned(int n)
{
    _Alignas(64) volatile int a[32];
    volatile char b[n];
    for (int i = 0; i < 32; i++)
        a[i] = n;
    b[0] = 1;
    return a[3] + b[0];
}

int main(void) { return realigned(40) == 41 ? 0 : 1; }
