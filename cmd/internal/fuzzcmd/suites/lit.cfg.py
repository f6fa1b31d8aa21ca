# Tests of a program that prints SFrame data, written by sframe-fuzz export --for lit.
#
#     lit -Dreadobj=/path/to/llvm-readobj -Dlld=/path/to/ld.lld -Dfilecheck=/path/to/FileCheck DIR
import lit.formats

config.name = "sframe-fuzz"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test"]
config.substitutions.append(("%readobj", lit_config.params.get("readobj", "llvm-readobj")))
config.substitutions.append(("%lld", lit_config.params.get("lld", "ld.lld")))
config.substitutions.append(("%filecheck", lit_config.params.get("filecheck", "FileCheck")))
