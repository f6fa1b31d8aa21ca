/* Serves sections to a reader in process. A driver defines read_section and includes this file.
 *
 * Standard input is any number of batches: a count of sections, and for each a struct request, its
 * look-ups and its bytes. Numbers have the byte order of the machine; counts have 4 bytes. For each
 * section, standard output has a status, a size and a text: STATUS_READ with what read_section has
 * written, or STATUS_SIGNAL with the signal, whether a bad access was a read or a write, and the
 * places of the crash.
 *
 * A child reads the sections of a batch. If it dies, another one continues after the section that
 * it died of. Each section ends where a page that must not be read begins. With AddressSanitizer,
 * the bytes before it must not be read either.
 */
#ifndef SERVE_H
#define SERVE_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

enum { STATUS_READ, STATUS_SIGNAL };
enum { PAGE = 4096, MAX_SECTION = 1 << 22, MAX_TEXT = 1 << 16, MAX_LOOKUPS = 1 << 16, LIMIT = 2000, AGAIN = 250 };

struct request {
	uint64_t address; /* of the section */
	uint64_t text_start, text_end; /* addresses of the code */
	uint32_t size; /* of the section, in bytes */
	uint32_t lookups;
};
struct lookup {
	uint64_t pc; /* an address */
	uint64_t fde_type; /* of its function */
};

static void read_section(char *data, const struct request *r, const struct lookup *lookups);

/* What the child writes and the parent reads. */
static struct shared {
	uint32_t next; /* section to read */
	uint32_t status, size;
	uint32_t used; /* bytes of results */
	bool hung; /* a section has taken longer than the limit */
	char text[MAX_TEXT];
	char results[];
} *shared;
enum { MAX_RESULTS = 256 << 20 };

static bool full(void)
{
	return shared->size >= MAX_TEXT - 1;
}

/* say adds to the text of the section; what is too long is cut. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(shared->text + shared->size, MAX_TEXT - shared->size, format, args);
	va_end(args);
	if (n > 0)
		shared->size = shared->size + n < MAX_TEXT ? shared->size + n : MAX_TEXT - 1;
}

/* value adds what a function of a reader has returned. */
__attribute__((unused)) static void value(const char *name, int32_t v, bool missing)
{
	if (missing)
		say(" %s none", name);
	else
		say(" %s %" PRId32, name, v);
}

/* bad_access is what an access that caused a signal was, as a sanitizer names it; "" if that is unknown. */
static const char *bad_access(int sig, const ucontext_t *at)
{
#ifdef __x86_64__
	if (sig == SIGSEGV || sig == SIGBUS) /* bit 1 of the error code is set for a write */
		return at->uc_mcontext.gregs[REG_ERR] & 2 ? " caused by a WRITE" : " caused by a READ";
#endif
	(void)sig, (void)at;
	return "";
}

/* too_long reports whether a signal is that of the limit of time. */
static bool too_long(int sig)
{
	return sig == SIGPROF || sig == SIGALRM;
}

/* crashed writes the places of a crash: "MODULE FUNCTION+OFFSET" or "MODULE+OFFSET". */
static void crashed(int sig, siginfo_t *info, void *at)
{
	void *frames[24];
	int n = backtrace(frames, 24), i;

	(void)info;
	shared->size = 0;
	shared->hung |= too_long(sig);
	say("signal %d%s\n", sig, bad_access(sig, at));
	for (i = 0; i < n; i++) {
		Dl_info info;
		const char *name;

		if (!dladdr(frames[i], &info) || !info.dli_fname)
			continue;
		name = strrchr(info.dli_fname, '/');
		name = name ? name + 1 : info.dli_fname;
		if (strncmp(name, "libc.", 5) == 0 || strncmp(name, "driver", 6) == 0)
			continue;
		if (info.dli_sname)
			say("%s %s+0x%tx\n", name, info.dli_sname, (char *)frames[i] - (char *)info.dli_saddr);
		else
			say("%s+0x%tx\n", name, (char *)frames[i] - (char *)info.dli_fbase);
	}
	_exit(1);
}

static void finish(uint32_t status)
{
	uint32_t head[2] = { status, shared->size };

	if (shared->used + sizeof head + shared->size > MAX_RESULTS)
		shared->size = head[1] = 0;
	memcpy(shared->results + shared->used, head, sizeof head);
	memcpy(shared->results + shared->used + sizeof head, shared->text, shared->size);
	shared->used += sizeof head + shared->size;
	shared->next++;
	shared->size = 0;
}

static bool get(void *to, size_t size)
{
	return fread(to, 1, size, stdin) == size;
}

/* A section, with what is asked about it. */
struct section {
	struct request r;
	struct lookup *lookups;
	char *data;
};

/* get_section reads a section; it returns false if the input is not of this form. */
static bool get_section(struct section *s)
{
	if (!get(&s->r, sizeof s->r) || s->r.size > MAX_SECTION || s->r.lookups > MAX_LOOKUPS)
		return false;
	s->lookups = calloc(s->r.lookups + 1, sizeof *s->lookups);
	s->data = malloc(s->r.size + 1);
	return s->lookups && s->data && get(s->lookups, s->r.lookups * sizeof *s->lookups) && get(s->data, s->r.size);
}

/* limit ends the process after milliseconds of the processor, or many times that without using it; 0 ends the limit. */
static void limit(int ms)
{
	struct itimerval t = { .it_value = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 } };

	setitimer(ITIMER_PROF, &t, NULL);
	alarm((30 * ms + 999) / 1000);
}

static void child(const struct section *sections, uint32_t count)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF };
	static char stack[1 << 16];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER };
	char *room = mmap(NULL, MAX_SECTION + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (room == MAP_FAILED || mprotect(room + MAX_SECTION, PAGE, PROT_NONE))
		_exit(3);
	mallopt(M_PERTURB, 0x5a); /* what is read before it is written is always the same */
	sigaltstack(&other, NULL);
#ifndef __SANITIZE_ADDRESS__
	for (i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
#else
	(void)fatal, (void)action;
#endif
	while (shared->next < count) {
		const struct section *s = &sections[shared->next];
		char *data = room + MAX_SECTION - s->r.size;

		ASAN_UNPOISON_MEMORY_REGION(data, s->r.size);
		memcpy(data, s->data, s->r.size);
		ASAN_POISON_MEMORY_REGION(room, data - room);
		shared->size = 0;
		limit(shared->hung ? AGAIN : LIMIT); /* all hangs are one find */
		read_section(data, &s->r, s->lookups);
		limit(0);
		finish(STATUS_READ);
	}
	_exit(0);
}

/* sanitizer_text takes over what a sanitizer has written, at the start of the file. */
static void sanitizer_text(FILE *errors)
{
	size_t n;

	rewind(errors);
	n = fread(shared->text, 1, MAX_TEXT / 4, errors);
	if (n > 0)
		shared->size = n;
}

int main(void)
{
	uint32_t count, i;
	FILE *errors = tmpfile();
	void *frames[2];

	backtrace(frames, 2); /* loads what it needs */
	shared = mmap(NULL, sizeof *shared + MAX_RESULTS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED || !errors || dup2(fileno(errors), 2) < 0)
		return 3;
	while (get(&count, sizeof count)) {
		struct section *sections = calloc(count, sizeof *sections);

		for (i = 0; i < count; i++) {
			if (!get_section(&sections[i]))
				return 3;
		}
		shared->next = shared->used = 0;
		while (shared->next < count) {
			pid_t pid = fork();
			int status;

			if (pid < 0)
				return 3;
			if (pid == 0)
				child(sections, count);
			if (waitpid(pid, &status, 0) < 0)
				return 3;
			if (shared->next < count) {
				if (WIFSIGNALED(status)) {
					shared->size = 0;
					shared->hung |= too_long(WTERMSIG(status));
					say("signal %d\n", WTERMSIG(status));
				}
				sanitizer_text(errors);
				finish(STATUS_SIGNAL);
			}
			if (ftruncate(2, 0) || lseek(2, 0, SEEK_SET))
				return 3;
		}
		if (fwrite(shared->results, 1, shared->used, stdout) != shared->used || fflush(stdout))
			return 3;
		for (i = 0; i < count; i++) {
			free(sections[i].data);
			free(sections[i].lookups);
		}
		free(sections);
	}
	return 0;
}

#endif
