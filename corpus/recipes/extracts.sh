# Sections that objcopy took out of a file: bytes without an ELF around them.

build_extracts() {
  extract sid 2.47 x86_64 amd64 static.elf "little-endian, version 3"
  extract sid 2.47 aarch64 aarch64-be static.elf "big-endian, version 3"
  extract sid 2.47 s390x s390x static.elf "big-endian, version 3"
  extract sid 2.47 s390x s390x registers.elf "big-endian, version 3, with flexible FDEs"
  extract trixie 2.44 x86_64 amd64 static.elf "little-endian, version 2"
  extract trixie 2.44 aarch64 aarch64-be static.elf "big-endian, version 2"
  extract bookworm 2.40 x86_64 amd64 static.elf "little-endian, version 1"
  extract bookworm 2.40 aarch64 aarch64-be static.elf "big-endian, version 1"
}

# extract SUITE RELEASE ARCH ABI FILE WHAT
extract() {
  use "$1" "$3"
  local from=files/binutils-$2/$4/$5 out=files/raw/binutils-$2-$4-${5%.elf}.sframe address
  produce objcopy "$out" -O binary --only-section=.sframe "$from" %
  address=$("$tools/$1-$3-readelf" -SW "$from" | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".sframe" { print "0x" $3 }')
  keep "$out" healthy "$([ "$2" != 2.40 ] || echo 21)" "The bytes of .sframe from $5 of $4 alone: $6." "$address" "$4"
}
