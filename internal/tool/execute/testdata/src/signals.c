// Handlers on the thread's stack and on another one, nested ones, and one that leaves by siglongjmp.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int n;
static sigjmp_buf env;

__attribute__((noipa)) static int work(int k)
{
    volatile int a[16];
    int s = 0;
    for (int i = 0; i < 16; i++)
        a[i] = k * i;
    for (int i = 0; i < 16; i++)
        s += a[i];
    return s;
}

static void plain(int s) { n += work(s); }
static void nested(int s, siginfo_t *i, void *u)
{
    (void)u;
    n += work(s) + i->si_signo;
    raise(SIGUSR1);
}
static void leave(int s)
{
    n += work(s);
    siglongjmp(env, 1);
}

int main(void)
{
    stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction a;
    sigaltstack(&other, 0);
    memset(&a, 0, sizeof a);
    a.sa_handler = plain;
    sigaction(SIGUSR1, &a, 0);
    a.sa_sigaction = nested;
    a.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGUSR2, &a, 0);
    a.sa_handler = leave;
    a.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &a, 0);
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR1);
        kill(getpid(), SIGUSR2);
    }
    for (volatile int i = 0; i < 3; i++) {
        if (!sigsetjmp(env, 1))
            *(volatile int *)8 = 1;
        n += work(i);
    }
    return 0;
}
