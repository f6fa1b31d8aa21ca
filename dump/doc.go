// Package dump writes what a .sframe section says, in three styles.
//
// [Objdump] is the text of `objdump --sframe`, byte for byte. [Full] leaves
// nothing out: every field with its offset and raw bytes, what it means, and
// what is wrong with it at the place where it is wrong. [JSON] is the same
// for programs.
//
// All styles stream: memory does not grow with the section. They accept
// damaged sections and show of them what could be had. The error returned is
// the writer's; [Objdump] also returns [ErrNothing].
package dump
