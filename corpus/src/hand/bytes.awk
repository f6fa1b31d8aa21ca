# Turns an entry of a txtar file of commented hex into the escapes that printf %b turns into bytes:
#   awk -f bytes.awk FILE.txtar NAME
# A line of an entry is one of
#   AA BB ...       bytes, appended
#   base NAME       the bytes of the entry NAME, to start from
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

function fail(why) { print name ": " why > "/dev/stderr"; failed = 1; exit 1 }

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

function read(entry,  i, lines, count, line, part, n, at) {
	name = entry
	if (!(entry in text)) fail("no such entry")
	count = split(text[entry], lines, "\n")
	for (i = 1; i <= count; i++) {
		line = lines[i]
		sub(/#.*/, "", line)
		n = split(line, part, " ")
		if (n == 0) continue
		if (part[1] == "base") { read(part[2]); name = entry; continue }
		if (part[1] !~ /:$/) { len += n; put(len - n, part, 1, n); continue }
		at = value(substr(part[1], 1 + (part[1] ~ /^[-+]/), length(part[1]) - 1 - (part[1] ~ /^[-+]/)))
		if (part[1] ~ /^-/) { shift(at, -value(part[2])); continue }
		if (part[1] ~ /^\+/) shift(at, n - 1)
		put(at, part, 2, n)
	}
}

BEGIN { wanted = ARGV[2]; ARGC = 2 }
/^-- .* --$/ { here = $2; text[here] = ""; next }
here { text[here] = text[here] $0 "\n" }
END {
	if (!failed) read(wanted)
	if (failed) exit 1
	for (i = 0; i < len; i++) printf "\\x%s", byte[i]
}
