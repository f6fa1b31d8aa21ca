// A small reader of version 3 of SFrame for AMD64, to show how a reader in Rust is fuzzed in process:
//
//     rustc -O -C overflow-checks --crate-type cdylib -o libreader.so reader.rs
//     sframe-fuzz run --library own=libreader.so --time 1m --out campaign
//
// With --cfg fault, it keeps 8 bits of the number of a function's FREs.

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rule {
    kind: i32,
    memory: i32,
    reg: i64,
    offset: i64,
}

#[repr(C)]
pub struct Row {
    cfa: Rule,
    ra: Rule,
    fp: Rule,
}

const UNDEFINED: Rule = Rule { kind: 0, memory: 0, reg: 0, offset: 0 };
const UNCHANGED: Rule = Rule { kind: 1, memory: 0, reg: 0, offset: 0 };

fn slot(offset: i64) -> Rule {
    Rule { kind: 2, memory: 1, reg: 0, offset }
}

fn register(reg: i64, offset: i64) -> Rule {
    Rule { kind: 3, memory: 0, reg, offset }
}

struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn unsigned(&mut self, size: usize) -> Option<u64> {
        let bytes = self.data.get(self.at..self.at.checked_add(size)?)?;
        self.at += size;
        Some(bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
    }

    fn signed(&mut self, size: usize) -> Option<i64> {
        let unused = 64 - 8 * size;
        self.unsigned(size).map(|v| (v << unused) as i64 >> unused)
    }
}

const HEADER: usize = 28;

/// The parts of a section: where the FDEs are and how many, and the FREs.
struct Section<'a> {
    fdes: usize,
    count: u64,
    pcrel: bool,
    fres: &'a [u8],
}

fn section(data: &[u8]) -> Option<Section<'_>> {
    let mut c = Cursor { data, at: 0 };
    if c.unsigned(2)? != 0xdee2 || c.unsigned(1)? != 3 {
        return None;
    }
    let flags = c.unsigned(1)?;
    if c.unsigned(1)? != 3 {
        return None;
    }
    c.at += 2;
    let end = HEADER + c.unsigned(1)? as usize;
    let count = c.unsigned(4)?;
    c.at += 4;
    let fre_len = c.unsigned(4)? as usize;
    let fdes = end + c.unsigned(4)? as usize;
    let fres = end + c.unsigned(4)? as usize;
    let size = (count as usize).checked_mul(16)?;
    data.get(end..)?;
    data.get(fdes..fdes.checked_add(size)?)?;
    Some(Section { fdes, count, pcrel: flags & 4 != 0, fres: data.get(fres..fres.checked_add(fre_len)?)? })
}

fn rules(flexible: bool, words: &[(u64, i64)]) -> Option<Row> {
    let mut row = Row { cfa: UNDEFINED, ra: slot(-8), fp: UNCHANGED };
    if words.is_empty() {
        return Some(Row { ra: UNDEFINED, fp: UNDEFINED, ..row });
    }
    if !flexible {
        return Some(row).filter(|_| words.len() <= 2);
    }
    let mut rest = words;
    for entity in 0..3 {
        let rule = match rest {
            [] if entity > 0 => break,
            [(0, _), more @ ..] if entity > 0 => {
                rest = more;
                continue;
            }
            [(control, _), (_, offset), more @ ..] => {
                rest = more;
                let memory = (control >> 1 & 1) as i32;
                if control & 1 == 1 {
                    Rule { memory, ..register((control >> 3) as i64, *offset) }
                } else if entity == 0 {
                    return None;
                } else {
                    Rule { memory, ..slot(*offset) }
                }
            }
            _ => return None,
        };
        *[&mut row.cfa, &mut row.ra, &mut row.fp][entity] = rule;
    }
    Some(row)
}

/// The row of an offset in a function whose attribute is at the start of data.
fn row_of(data: &[u8], offset: u64) -> Option<Option<Row>> {
    let mut c = Cursor { data, at: 0 };
    let count = c.unsigned(2)?;
    let count = if cfg!(fault) { count & 0xff } else { count };
    let (info, info2, rep) = (c.unsigned(1)?, c.unsigned(1)?, c.unsigned(1)?);
    let offset = match (info >> 4 & 1, rep) {
        (0, _) => offset,
        (_, 0) => return Some(None),
        _ => offset % rep,
    };
    if info & 15 > 2 && count > 0 || info2 & 31 > 1 {
        return None;
    }
    let flexible = info2 & 31 == 1;
    let mut found = None;
    for _ in 0..count {
        let start = c.unsigned(1 << (info & 15))?;
        let word = c.unsigned(1)?;
        let (n, size, from_sp) = (word >> 1 & 15, word >> 5 & 3, word & 1 == 1);
        if size == 3 && n > 0 {
            return None;
        }
        let mut words = Vec::new();
        for _ in 0..n {
            let at = c.at;
            let unsigned = c.unsigned(1 << size)?;
            c.at = at;
            words.push((unsigned, c.signed(1 << size)?));
        }
        let mut row = rules(flexible, &words)?;
        if !flexible {
            if let Some((_, offset)) = words.first() {
                row.cfa = register(if from_sp { 7 } else { 6 }, *offset);
            }
            if let Some((_, offset)) = words.get(1) {
                row.fp = slot(*offset);
            }
        }
        if start <= offset {
            found = Some(row);
        }
    }
    Some(found)
}

fn look_up(data: &[u8], address: u64, pc: u64) -> Option<Option<Row>> {
    let s = section(data)?;
    let mut found = None;
    for i in 0..s.count as usize {
        let mut c = Cursor { data, at: s.fdes + 16 * i };
        let field = address.wrapping_add(c.at as u64);
        let start = (c.signed(8)? as u64).wrapping_add(if s.pcrel { field } else { address });
        let size = c.unsigned(4)?;
        let attribute = c.unsigned(4)? as usize;
        let inside = pc.wrapping_sub(start);
        let row = row_of(s.fres.get(attribute..)?, inside)?;
        if inside < size && found.is_none() {
            found = Some(row);
        }
    }
    Some(found.flatten())
}

/// The function that sframe-fuzz calls.
///
/// # Safety
///
/// section has size bytes, and row has room for a row.
#[no_mangle]
pub unsafe extern "C" fn sframe_fuzz_lookup(section: *const u8, size: usize, address: u64, pc: u64, row: *mut Row) -> i32 {
    match look_up(std::slice::from_raw_parts(section, size), address, pc) {
        None => -1,
        Some(None) => 0,
        Some(Some(found)) => {
            *row = found;
            1
        }
    }
}
