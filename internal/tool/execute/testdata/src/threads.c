// Threads, fork, vfork and exec.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long n;

__attribute__((noipa)) static long fib(long k)
{
    volatile long x = k;
    return k < 2 ? x : fib(k - 1) + fib(k - 2);
}
static void *work(void *p)
{
    for (int i = 0; i < 3; i++) {
        long r = fib(6);
        pthread_mutex_lock(&mutex);
        n += r;
        pthread_mutex_unlock(&mutex);
    }
    return p;
}

int main(int argc, char **argv)
{
    pthread_t t[4];
    int status = 0;
    if (argc > 1)
        return fib(5) == 5 ? 4 : 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    if (n != 4 * 3 * 8)
        return 1;
    pid_t p = fork();
    if (!p)
        _exit(fib(6) == 8 ? 3 : 0);
    waitpid(p, &status, 0);
    if (WEXITSTATUS(status) != 3)
        return 2;
    p = vfork();
    if (!p) {
        execl(argv[0], argv[0], "again", (char *)0);
        _exit(9);
    }
    waitpid(p, &status, 0);
    return WEXITSTATUS(status) == 4 ? 0 : 5;
}
