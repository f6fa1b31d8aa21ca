// Coroutines whose stacks are one below the other, as those of Go: SP goes down by as much as alloca may take, and a
// signal arrives on the way.
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

__asm__(
    ".text\n"
    ".globl start, resume, ended\n"
    // start(void **from, void *sp, void (*f)(void)) leaves a stack and begins another one.
    ".type start, @function\n"
    "start:\n"
    "	.cfi_startproc\n"
    "	push %rbp\n"
    "	.cfi_def_cfa_offset 16\n"
    "	.cfi_offset %rbp, -16\n"
    "	mov %rsp, (%rdi)\n"
    "	mov %rsi, %rsp\n"
    "	hlt\n"
    "	jmp *%rdx\n"
    "	.cfi_endproc\n"
    ".size start, .-start\n"
    // resume(void *sp) goes back to a stack that was left.
    ".type resume, @function\n"
    "resume:\n"
    "	.cfi_startproc\n"
    "	mov %rdi, %rsp\n"
    "	pop %rbp\n"
    "	ret\n"
    "	.cfi_endproc\n"
    ".size resume, .-resume\n"
    // ended is what a coroutine would return to.
    ".type ended, @function\n"
    "ended:\n"
    "	.cfi_startproc\n"
    "	.cfi_undefined %rip\n"
    "	nop\n"
    "	hlt\n"
    "	.cfi_endproc\n"
    ".size ended, .-ended\n");

void start(void **from, void *sp, void (*f)(void));
void resume(void *sp);
extern char ended[];

enum { SIZE = 32768, STACKS = 4 };
static char stacks[STACKS][SIZE] __attribute__((aligned(16)));
static void *left[STACKS + 1];
static volatile int n, depth = STACKS;

__attribute__((noipa)) static void leaf(int k)
{
    volatile char x[k]; // SP goes down in the function
    x[k - 1] = 1;
    n += x[k - 1];
}

__attribute__((noipa)) static void next(void (*f)(void))
{
    int at = depth;
    if (at == 0)
        return;
    depth = at - 1;
    void **sp = (void **)stacks[at - 1] + SIZE / sizeof(void *) - 3;
    *sp = ended + 1;
    leaf(100);
    start(&left[at], sp, f);
    leaf(100);
}

static void handler(int sig, siginfo_t *info, void *context)
{
    leaf(500);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]++; // go on after hlt
}

static void coroutine(void)
{
    int at = depth;
    leaf(200);
    next(coroutine);
    leaf(300);
    resume(left[at + 1]);
}

int main(void)
{
    struct sigaction sa = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
    sigaction(SIGSEGV, &sa, 0);
    next(coroutine);
    leaf(400);
    return n != 5 * STACKS + 1;
}
