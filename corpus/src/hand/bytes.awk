# Turns commented hex into the escapes that printf %b turns into bytes. A line is one of
#   AA BB ...       bytes, appended
#   base NAME       the bytes of NAME.hex, to start from
#   OFF: AA BB ...  bytes that replace those at offset OFF
#   +OFF: AA ...    bytes put in before offset OFF
#   -OFF: N         N bytes taken out at offset OFF
# Every number is hexadecimal; # starts a comment. Offsets are those of the bytes as the
# lines before left them.
function value(s,  i, v) {
	s = tolower(s)
	for (i = 1; i <= length(s); i++) {
		if (!index("0123456789abcdef", substr(s, i, 1))) fail("not a number: " s)
		v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	}
	return v
}

function fail(why) { print file ": " why > "/dev/stderr"; failed = 1; exit 1 }

function shift(from, by,  i) {
	if (by > 0) for (i = len - 1; i >= from; i--) byte[i + by] = byte[i]
	else for (i = from; i < len + by; i++) byte[i] = byte[i - by]
	len += by
}

function put(at, part, first, n,  i) {
	if (at + n - first + 1 > len) fail("bytes beyond the end at " at)
	for (i = first; i <= n; i++) {
		if (length(part[i]) != 2) fail("not a byte: " part[i])
		byte[at++] = part[i]
	}
}

function read(path,  line, part, n, at) {
	file = path
	if ((getline line < path) < 0) fail("cannot be read")
	do {
		sub(/#.*/, "", line)
		n = split(line, part, " ")
		if (n == 0) continue
		if (part[1] == "base") { read(dir part[2] ".hex"); file = path; continue }
		if (part[1] !~ /:$/) { len += n; put(len - n, part, 1, n); continue }
		at = value(substr(part[1], 1 + (part[1] ~ /^[-+]/), length(part[1]) - 1 - (part[1] ~ /^[-+]/)))
		if (part[1] ~ /^-/) { shift(at, -value(part[2])); continue }
		if (part[1] ~ /^\+/) shift(at, n - 1)
		put(at, part, 2, n)
	} while ((getline line < path) > 0)
	close(path)
}

BEGIN {
	path = ARGV[1]
	dir = path
	sub(/[^\/]*$/, "", dir)
	read(path)
	for (i = 0; i < len; i++) printf "\\x%s", byte[i]
}
END { if (failed) exit 1 }
