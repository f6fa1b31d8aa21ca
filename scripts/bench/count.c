/* A plugin of qemu's user mode that counts the instructions of a program, as scripts/instructions loads it. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Of qemu's interface. */
struct qemu_plugin_tb;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);
void qemu_plugin_outs(const char *);
int qemu_plugin_version = 1;

static uint64_t count;

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	qemu_plugin_register_vcpu_tb_exec_inline(block, 0 /* add */, &count, qemu_plugin_tb_n_insns(block));
}

static void ended(uint64_t id, void *data)
{
	char line[64];
	snprintf(line, sizeof line, "Collected : %llu\n", (unsigned long long)count);
	qemu_plugin_outs(line);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
