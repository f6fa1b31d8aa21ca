// Coroutines on a static stack and on one inside the frame of main, ended and begun again.
#include <ucontext.h>

static ucontext_t all, a, b;
static volatile int n;

__attribute__((noipa)) static void leaf(int k)
{
    volatile int x[8];
    for (int i = 0; i < 8; i++)
        x[i] = k;
    n += x[3];
}
static void fa(void)
{
    for (int i = 0; i < 5; i++) {
        leaf(i);
        swapcontext(&a, &b);
    }
}
static void fb(void)
{
    for (int i = 0; i < 5; i++) {
        leaf(i);
        swapcontext(&b, i & 1 ? &a : &all);
    }
    swapcontext(&b, &a);
}
static void begin(ucontext_t *u, char *stack, unsigned long size, void (*f)(void))
{
    getcontext(u);
    u->uc_stack.ss_sp = stack;
    u->uc_stack.ss_size = size;
    u->uc_link = &all;
    makecontext(u, f, 0);
}
static void once(void) { leaf(7); }

int main(void)
{
    static char s1[32768];
    char s2[32768];
    begin(&a, s1, sizeof s1, fa);
    begin(&b, s2, sizeof s2, fb);
    for (int i = 0; i < 3; i++) {
        leaf(9);
        swapcontext(&all, &a);
    }
    for (int i = 0; i < 20; i++) {
        begin(&a, s1, sizeof s1, once);
        swapcontext(&all, &a);
    }
    return 0;
}
