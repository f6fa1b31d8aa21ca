/*
 * A plugin of qemu's user mode that follows the steps of a program. It does what Process.Step of this
 * package does, for the steps that are the most frequent: those in sequence, branches, calls and returns
 * at which all claims about the caller hold. It stops at all others, with a breakpoint for the tracer,
 * which does the step and writes the frames and the claims that follow from it.
 *
 * qemu executes one instruction a block, so that before each the registers are in the CPU's state, to
 * which generated code has the pointer in rbp.
 *
 * The tracer reads and writes the structures: their layout is that of plugin_linux_amd64.go.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

register char *cpu_state __asm__("rbp");

/* Of qemu's interface. */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_init_cb(uint64_t, void (*)(uint64_t, unsigned));
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
__attribute__((visibility("default"))) int qemu_plugin_version = PLUGIN_VERSION;

enum { MAX_TASKS = 1 << 12, MAX_PLACES = 1 << 21, WINDOW = 96, REGS = 48, MAX_CLAIMS = 12, CODE = 16 };

/* A frame of the shadow stack. */
enum { NO_FP = 1, NO_RA = 2, OPAQUE = 4, LONE = 8 };
struct frame {
	uint64_t sp, ra, fp, flags;
};

/* A rule that leads to the caller's CFA, RA or FP. */
enum { CFA, RA, FP };
struct claim {
	int64_t off;
	uint64_t mask;  /* of a signature */
	int32_t reg;    /* offset in the CPU's state, or -1: the CFA */
	uint8_t what, deref, unused[2];
};

/* An instruction. From fn on, the tracer has written what is there, if flags has KNOWN. */
enum { KNOWN = 1, CALL = 2, RET = 4, KERNEL = 8, SETS = 16, START = 32, NO_FDE = 64, SLOW = 128, TWICE = 256, AGAIN = 512 };
struct place {
	uint64_t pc, hits;
	uint8_t code[CODE];
	uint64_t fn;
	uint32_t flags;
	uint8_t len, claims, unused[2];
	struct claim claim[MAX_CLAIMS];
};

/* A thread. Frames and counts are those since the last stop. */
struct task {
	uint64_t steps, checked, no_fde, no_callers;
	uint64_t at;    /* place of the previous step, 0 for none */
	uint64_t now;   /* place of the step that stops */
	uint64_t after; /* whether the frames are already those of this step */
	uint64_t since, every;
	uint64_t limit; /* of steps */
	uint64_t depth; /* frames in the window */
	uint64_t low;   /* the least depth */
	uint64_t slow;  /* stop at each step */
	uint64_t again;
	uint64_t unused[2];
	uint64_t regs[REGS], prev[REGS];
	struct frame frame[WINDOW];
};

static struct {
	uint64_t base;   /* host address of the program's address 0 */
	uint64_t places; /* their address */
	uint64_t nplaces;
	uint64_t off; /* execute without steps */
} shared;

static struct place *places;
static uint32_t *slots; /* of a hash table, by PC: the index of a place, plus 1 */
static struct task tasks[MAX_TASKS];

/* Of the ABI: offsets in the CPU's state, and bytes. */
static struct {
	unsigned sp, fp, from, kept, all, big;
	int64_t entry, cfa, below;
} abi;

static uint64_t reg(unsigned at)
{
	uint64_t v;
	memcpy(&v, cpu_state + at, 8);
	return v;
}

/* Let the tracer do a step. */
static __attribute__((noinline)) void stop(struct task *t, struct place *p, int after)
{
	t->now = (uint64_t)p;
	t->after = after;
	memcpy(t->regs, cpu_state + abi.from, abi.all);
	__asm__ volatile("int3" : : "a"(0x53467261), "D"(t), "S"(&shared) : "memory");
}

/* holds reports whether the claims of a place are true. If one is not, or reads memory that may not be
 * mapped, the tracer decides. */
static int holds(const struct place *p, const struct frame *f, uint64_t sp)
{
	uint64_t cfa = f->sp + abi.cfa;
	for (int i = 0; i < p->claims; i++) {
		const struct claim *c = &p->claim[i];
		uint64_t v = c->reg < 0 ? cfa : reg(c->reg);
		v += c->off;
		if (c->deref) {
			if ((int64_t)(v - sp) < -abi.below || (int64_t)(cfa - v) < 8)
				return 0;
			memcpy(&v, (char *)(shared.base + v), 8);
			if (abi.big)
				v = __builtin_bswap64(v);
		}
		switch (c->what) {
		case CFA:
			if (v != cfa)
				return 0;
			break;
		case RA:
			if ((v & ~c->mask) != f->ra && !(f->flags & NO_RA))
				return 0;
			break;
		default:
			if (v != f->fp && !(f->flags & NO_FP))
				return 0;
		}
	}
	return 1;
}

/* advance follows a step, as Process.advance does, and reports false if that has to. */
static int advance(struct task *t, const struct place *at, const struct place *p, uint64_t sp)
{
	struct frame *top = &t->frame[t->depth - 1];
	uint64_t was, next = at->pc + at->len;
	memcpy(&was, (char *)t->prev + abi.sp - abi.from, 8);
	if (at->flags & KERNEL || !at->len)
		return 0;
	if (at->flags & CALL && (p->pc != next || p->flags & START)) {
		if (sp != was - abi.entry || t->depth == WINDOW)
			return 0;
		top[1] = (struct frame){ sp + abi.entry, next, reg(abi.fp), 0 };
		t->depth++;
		return 1;
	}
	if (p->pc == next)
		return sp == was || !(at->flags & SETS) || !(top->flags & OPAQUE) && sp <= top->sp - abi.entry && sp >= was;
	if (p->pc == at->pc)
		return sp == was;
	if (top->flags & OPAQUE)
		return top->flags & LONE && sp == was;
	if (p->pc == top->ra && sp == top->sp && !(top->flags & NO_RA)) {
		if (at->flags & TWICE || t->depth == 1)
			return 0;
		if (--t->depth < t->low)
			t->low = t->depth;
		return 1;
	}
	if (sp != was)
		return 0; /* a handler of a signal, or one that is left */
	if (sp + abi.entry <= top->sp)
		return abi.entry || sp != top->sp || p->flags & START || !p->fn || p->fn == at->fn;
	return !(at->flags & RET) && p->fn && p->fn == at->fn;
}

/* check compares what is claimed of the caller with what is true. */
static int check(struct task *t, struct place *p, uint64_t sp)
{
	const struct frame *top = &t->frame[t->depth - 1];
	if (p->flags & KERNEL)
		return 0; /* it may end the program, or execute another one */
	if (p->flags & NO_FDE) {
		t->no_fde++;
		return 1;
	}
	if (top->flags & OPAQUE) {
		t->no_callers += !!(top->flags & LONE);
		return !!(top->flags & LONE);
	}
	if (p->flags & SLOW || t->since + 1 >= t->every || !holds(p, top, sp))
		return 0;
	t->since++;
	t->checked++;
	p->hits++;
	return 1;
}

static void step(unsigned cpu, void *data)
{
	struct task *t = &tasks[cpu];
	struct place *p = data, *at = (struct place *)t->at;
	if (shared.off)
		return;
	if (at && at == p && at->flags & AGAIN && !t->again) {
		t->again = 1; /* the target of an execute instruction */
		return;
	}
	t->again = 0;
	if (!at || !(p->flags & KNOWN) || t->slow || t->steps >= t->limit) {
		stop(t, p, 0);
	} else {
		uint64_t sp = reg(abi.sp);
		if (!advance(t, at, p, sp)) {
			stop(t, p, 0);
		} else {
			t->steps++;
			if (!check(t, p, sp))
				stop(t, p, 1);
		}
	}
	memcpy(t->prev, cpu_state + abi.from, abi.kept);
	t->at = (uint64_t)p;
}

static void die(const char *why)
{
	fprintf(stderr, "step plugin: %s\n", why);
	abort();
}

/* place returns the place of an instruction, a new one if its code is not the same. */
static struct place *place(uint64_t pc, const void *code, size_t n)
{
	uint64_t i = pc * 0x9e3779b97f4a7c15 >> 42; /* MAX_PLACES * 2 */
	struct place *p;
	for (; slots[i]; i = (i + 1) % (MAX_PLACES * 2)) {
		p = &places[slots[i] - 1];
		if (p->pc == pc) {
			if (memcmp(p->code, code, n))
				p->flags = 0;
			memcpy(p->code, code, n);
			return p;
		}
	}
	if (shared.nplaces == MAX_PLACES)
		die("too many instructions");
	p = &places[shared.nplaces];
	slots[i] = ++shared.nplaces;
	p->pc = pc;
	memcpy(p->code, code, n);
	return p;
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	size_t n = qemu_plugin_tb_n_insns(tb);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *x = qemu_plugin_tb_get_insn(tb, i);
		uint64_t pc = qemu_plugin_insn_vaddr(x);
		char *code = qemu_plugin_insn_haddr(x);
		size_t len = qemu_plugin_insn_size(x);
		shared.base = (uint64_t)code - pc;
		qemu_plugin_register_vcpu_insn_exec_cb(x, step, 0, place(pc, code, len < CODE ? len : CODE));
	}
}

static void started(uint64_t id, unsigned cpu)
{
	(void)id;
	if (cpu >= MAX_TASKS)
		die("too many threads");
	memset(&tasks[cpu], 0, offsetof(struct task, regs));
}

static void *reserve(size_t n)
{
	void *p = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		die("no memory");
	return p;
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	_Static_assert(sizeof(struct frame) == 32 && sizeof(struct claim) == 24, "layout");
	_Static_assert(offsetof(struct place, fn) == 32 && offsetof(struct place, claim) == 48, "layout");
	_Static_assert(offsetof(struct task, regs) == 128, "layout");
	(void)info;
	if (argc != 1 || sscanf(argv[0], "abi=%u:%u:%u:%u:%u:%u:%ld:%ld:%ld", &abi.sp, &abi.fp, &abi.from, &abi.kept, &abi.all, &abi.big,
		&abi.entry, &abi.cfa, &abi.below) != 9)
		die("no ABI");
	places = reserve(sizeof(struct place) * MAX_PLACES);
	slots = reserve(sizeof(*slots) * MAX_PLACES * 2);
	shared.places = (uint64_t)places;
	qemu_plugin_register_vcpu_init_cb(id, started);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
