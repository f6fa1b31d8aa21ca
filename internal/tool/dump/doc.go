// Package dump writes the contents of a .sframe section in three styles. [Objdump] writes the text of `objdump
// --sframe`, with documented differences on damaged and unusual files. [Full] writes every field with its offset, raw
// bytes and meaning, and errors at the places where they occur. [JSON] writes the same for programs.
//
// All styles stream: memory does not grow with the section. They accept damaged sections and write the parts that can
// be decoded. They return errors of the writer; [Objdump] also returns [ErrNothing].
//
// [ParseObjdump] and [ParseLLVM] read the output of objdump, readelf and llvm-readobj. [Compare] compares it with the
// section. The package runs no tool and finds no faults of its own.
package dump
