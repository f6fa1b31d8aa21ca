package main

import "strings"

// run is an execution of a program.
type run struct {
	name    string // unique
	program string // of the script build
	exe     string // file in the program's directory
	args    []string
	dir     string // where it is executed: dirLua, or "" for an empty directory
	stdin   string // file of this directory
	steps   int    // millions
}

// Directories that args and dir begin with.
const (
	dirLua = "LUA" // Lua's test suite
	dirOut = "OUT" // what build wrote
)

// runs returns the campaign.
func runs() (all []run) {
	lua := func(program string, steps int, tests string) {
		for t := range strings.FieldsSeq(tests) {
			all = append(all, run{
				name: program + "-" + t, program: program, exe: "lua", dir: dirLua, steps: steps,
				args: []string{"-e", "_U=true _soft=true _port=true _nomsg=true", t + ".lua"},
			})
		}
	}
	add := func(program, exe, name string, steps int, stdin string, args ...string) {
		all = append(all, run{name: program + "-" + name, program: program, exe: exe, steps: steps, stdin: stdin, args: args})
	}
	short := "calls coroutine errors"
	lua("lua", 1, "api bitwise calls coroutine")
	add("openssl", "evp_test", "aes", 4, "", "OUT/openssl/evpciph_aes_common.txt")
	add("json", "json", "all", 6, "")
	lua("lua-a64", 1, short)
	lua("lua-s390x", 1, short)
	add("sqlite3", "sqlite3", "queries", 6, "queries.sql")
	add("zstd", "zstd", "3", 4, "", "-q", "-3", "-c", "OUT/lua/lua")
	lua("lua-v2", 1, short+" db strings")
	add("zstd-a64", "zstd", "3", 2, "", "-q", "-3", "-c", "OUT/lua/lua")
	add("zstd-s390x", "zstd", "3", 2, "", "-q", "-3", "-c", "OUT/lua/lua")
	lua("lua-realign", 1, short+" pm tpack")
	lua("lua-clash", 1, short+" gc sort")
	lua("lua-a64-bti", 1, "calls closure")
	for _, x := range []string{"evppkey_ecx", "evpciph_chacha", "evpmd_sha", "evpmac_poly1305"} {
		add("openssl", "evp_test", x, 2, "", "OUT/openssl/"+x+".txt")
	}
	for _, x := range []string{"bnexp", "bnmod", "bnmul"} {
		add("openssl", "bntest", x, 2, "", "OUT/openssl/"+x+".txt")
	}
	add("openssl", "ectest", "all", 4, "")
	add("openssl", "openssl", "rsa", 4, "", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
	for _, x := range []string{"xts", "sha3"} {
		add("openssl", "evp_test", x, 2, "", "OUT/openssl/"+x+".txt")
	}
	add("openssl", "openssl", "x25519", 3, "", "genpkey", "-algorithm", "X25519")
	add("openssl", "openssl", "p256", 3, "", "genpkey", "-algorithm", "EC", "-pkeyopt", "group:P-256")
	add("openssl", "openssl", "speed", 4, "", "speed", "-seconds", "1", "-bytes", "256", "sha256", "aes-128-cbc")
	add("sqlite3-O0", "sqlite3", "queries", 6, "queries.sql")
	lua("lua", 1, "closure code constructs cstack db errors events gc gengc goto locals math nextvar pm sort strings tpack utf8 vararg verybig")
	more := "closure constructs db events gc goto locals math nextvar pm sort strings tpack utf8 vararg"
	lua("lua-a64", 1, more)
	lua("lua-s390x", 1, more)
	add("zstd-a64", "zstd", "19", 4, "", "-q", "-19", "-T1", "-c", "OUT/lua/lua")
	add("zstd-s390x", "zstd", "19", 4, "", "-q", "-19", "-T1", "-c", "OUT/lua/lua")
	add("zstd", "zstd", "19", 4, "", "-q", "-19", "-T1", "-c", "OUT/lua/lua")
	return all
}
