# Files with debug information whose fault has a source line: each version of DWARF, byte order and
# form of the sections, and debug information in separate files.

build_lines() {
  lines_objects
  lines_linked
  lines_separate
}

lines_about="debug information for a word of the stack that is taken without a directive, in hold.h, inlined twice"

# lines_object NAME SOURCE ABOUT FLAG...
lines_object() {
  local out=files/lines/$1.o
  produce as "$out" --gsframe "${@:4}" "src/lines/$2.s"
  keep "$out" faulty "" "$3: $lines_about."
}

lines_objects() {
  use sid x86_64
  local v
  for v in 2 3 4 5; do
    lines_object "dwarf$v" "work-dwarf$v" "DWARF $v" "--gdwarf-$v"
  done
  lines_object dwarf64 work-dwarf64 "DWARF 5 with offsets of 8 bytes"
  lines_object zlib work-dwarf5 "Sections compressed with zlib" --compress-debug-sections=zlib
  lines_object zlib-gnu work-dwarf4 "Sections compressed as .zdebug" --compress-debug-sections=zlib-gnu
  lines_object zstd work-dwarf5 "Sections compressed with zstd" --compress-debug-sections=zstd
  produce as files/lines/assembly.o --gsframe --gdwarf-5 --debug-prefix-map "$PWD=/build" src/lines/frame.s
  keep files/lines/assembly.o faulty "" "Assembly with line numbers: a directive with a wrong offset, and one that is missing."
  produce as obj/lines/split4.o --gsframe src/lines/work-split4.s
  produce as obj/lines/split5.o --gsframe src/lines/work-split5.s
  for v in 4 5; do
    produce objcopy "files/lines/work-split$v.dwo" --extract-dwo "obj/lines/split$v.o" %
    keep "files/lines/work-split$v.dwo" healthy "" "The split debug information of split$v.o, without SFrame data."
    produce objcopy "files/lines/split$v.o" --strip-dwo "obj/lines/split$v.o" %
    keep "files/lines/split$v.o" faulty "" "Split DWARF $v, without the .dwo: $lines_about."
  done
  use sid aarch64
  lines_object aarch64 work-aarch64 "AArch64"
  lines_object aarch64-be work-aarch64-be "AArch64, big-endian" -EB
  use sid s390x
  lines_object s390x work-s390x "s390x"
}

lines_linked() {
  use sid x86_64
  produce ld files/lines/linked.elf "${small[@]}" --build-id=sha1 files/lines/assembly.o files/lines/dwarf5.o files/lines/dwarf4.o -z muldefs
  keep files/lines/linked.elf faulty "" "Two objects of C and one in assembly, linked: $lines_about."
  produce ld.lld files/lines/lld.elf -z max-page-size=4096 -z noseparate-code files/lines/assembly.o files/lines/dwarf5.o
  keep files/lines/lld.elf faulty "13 14" "Linked by lld, which concatenates the sections: $lines_about."
  use sid s390x
  produce ld files/lines/linked-s390x.elf "${small[@]}" files/lines/s390x.o
  keep files/lines/linked-s390x.elf faulty "" "Linked, big-endian: $lines_about."
}

lines_separate() {
  use sid x86_64
  produce objcopy files/lines/linked.debug --only-keep-debug files/lines/linked.elf %
  keep files/lines/linked.debug healthy "" "The debug information of stripped.elf, without SFrame data."
  produce objcopy files/lines/stripped.elf --strip-debug --add-gnu-debuglink=files/lines/linked.debug files/lines/linked.elf %
  keep files/lines/stripped.elf faulty "" "Without debug information, with a .gnu_debuglink and a build ID."
}
