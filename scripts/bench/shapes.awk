# Writes the AMD64 assembly of functions FIRST to LAST-1 of the benchmark program.
#
# Usage: awk -v FIRST=0 -v LAST=25000 -f shapes.awk > part.s
#
# Twenty functions in a row hold eighty CFI rows, hence eighty FREs, whatever their bodies
# look like: counts that are multiples of twenty are thus exact, not merely likely.

# A generator of our own, because awk implementations disagree about rand().
# The modulus keeps every product below 2^53, the range in which awk's numbers are exact.
function pick(n) {
    seed = (seed * 1103 + 12345) % 2147483629
    return int(seed / 7) % n
}

# Work that leaves the frame alone. Mostly short, at times long enough for two-byte FRE starts.
function work(    n, k) {
    n = pick(40) == 0 ? 60 + pick(60) : 1 + pick(6)
    while (n-- > 0) {
        k = pick(5)
        if (k == 0) print "\tleal\t" pick(4000) "(%rdi,%rsi), %eax"
        else if (k == 1) print "\timull\t$" 3 + pick(9000) ", %esi, %eax"
        else if (k == 2) print "\tmovl\t%edi, %edx"
        else if (k == 3) print "\txorl\t$" pick(100000) ", %eax"
        else print "\taddl\t%edx, %eax"
    }
}

function callee() {
    # Backwards only: a forward call could run past the last function.
    if (id > FIRST) print "\tcall\t" name(FIRST + pick(id - FIRST))
}

function name(i) { return i == 0 ? "_start" : sprintf("fn%06d", i) }

function cfa(offset) { print "\t.cfi_def_cfa_offset " offset }

function push(reg) {
    print "\tpushq\t%" reg
    depth += 8
    cfa(depth)
    print "\t.cfi_offset %" reg ", -" depth
}

function pop(reg) {
    print "\tpopq\t%" reg
    depth -= 8
    cfa(depth)
}

function reserve(bytes) {
    print "\tsubq\t$" bytes ", %rsp"
    depth += bytes
    cfa(depth)
}

function release(bytes) {
    print "\taddq\t$" bytes ", %rsp"
    depth -= bytes
    cfa(depth)
}

# rbp is the CFA's base from the second instruction on.
function frame() {
    push("rbp")
    print "\tmovq\t%rsp, %rbp"
    print "\t.cfi_def_cfa_register %rbp"
}

function leave() {
    print "\tleave"
    print "\t.cfi_def_cfa %rsp, 8"
}

function ret() { print "\tret" }

# The shapes; the number in each name is its count of FREs.

function leaf1() { work(); ret() }

function noreturn2() { reserve(8); work(); callee(); print "\tud2" }

function locals3(    n) {
    n = 8 + 16 * pick(30)
    reserve(n); work(); callee(); work(); release(n); ret()
}

function framed4() { frame(); work(); callee(); work(); leave(); ret() }

function saved5() {
    push("r12"); push("rbx"); work(); work(); pop("rbx"); pop("r12"); ret()
}

# An early return: what follows it takes up the frame as it was.
function early6() {
    frame(); work()
    print "\ttestl\t%eax, %eax\n\tje\t.L" id
    print "\t.cfi_remember_state"
    leave(); ret()
    print ".L" id ":\n\t.cfi_restore_state"
    work(); callee()
    leave(); ret()
}

# rbp is saved as any register is; the CFA stays based on rsp.
function scratch7(    n) {
    n = 8 + 16 * pick(12)
    push("rbp"); push("rbx"); reserve(n); work(); callee(); work(); release(n)
    pop("rbx"); pop("rbp"); ret()
}

function crowded9(    n) {
    n = 16 + 16 * pick(20)
    push("r12"); push("rbp"); push("rbx"); reserve(n); work(); callee(); release(n)
    pop("rbx"); pop("rbp"); pop("r12"); ret()
}

# A leaf by shape, but one that must not return: nothing called it.
function start1() {
    print "\txorl\t%edi, %edi\n\tmovl\t$60, %eax\n\tsyscall\n\thlt"
}

function emit(    slot) {
    slot = (id * 7) % 20
    if (id == 0) start1()
    else if (slot < 4) leaf1()
    else if (slot < 7) locals3()
    else if (slot < 12) framed4()
    else if (slot < 14) early6()
    else if (slot < 16) saved5()
    else if (slot < 18) scratch7()
    else if (slot < 19) crowded9()
    else noreturn2()
}

BEGIN {
    seed = FIRST + 1
    print "\t.text"
    for (id = FIRST; id < LAST; id++) {
        depth = 8
        print "\t.p2align 4"
        if (id == 0) print "\t.globl\t_start"
        print "\t.type\t" name(id) ", @function\n" name(id) ":\n\t.cfi_startproc"
        emit()
        print "\t.cfi_endproc\n\t.size\t" name(id) ", .-" name(id)
    }
    print "\t.section\t.note.GNU-stack,\"\",@progbits"
}
