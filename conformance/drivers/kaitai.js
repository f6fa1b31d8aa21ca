// A decoder for the conformance suite that reads sections with the description of the format for
// Kaitai Struct. scripts/kaitai installs what it needs and runs it:
//
//	NODE_PATH=DIR/node_modules node kaitai.js sframe.ksy
//
// Everything about bytes comes from the description. What the data words mean is here.
'use strict';
const fs = require('fs');
const readline = require('readline');
const yaml = require('js-yaml');
const compiler = require('kaitai-struct-compiler');
const KaitaiStream = require('kaitai-struct/KaitaiStream');

// The runtime reads 8 bytes as a floating-point number, which loses bits.
for (const [name, little] of [['readS8le', true], ['readS8be', false]]) {
	KaitaiStream.prototype[name] = function () {
		const b = this.readBytes(8);
		return new DataView(b.buffer, b.byteOffset, 8).getBigInt64(0, little);
	};
}

// ABIs by the names of the description: SP, FP, whether RA has a fixed offset, and the CFA's scale.
const abis = {
	AARCH64_BE: { name: 'aarch64-be', sp: 31, fp: 29, pauth: true },
	AARCH64: { name: 'aarch64', sp: 31, fp: 29, pauth: true },
	AMD64: { name: 'amd64', sp: 7, fp: 6, fixedRA: true },
	S390X: { name: 's390x', sp: 15, fp: 11, scale: 8, adjust: 160, padding: true },
};

async function load(path) {
	const files = await compiler.compile('javascript', yaml.load(fs.readFileSync(path, 'utf8')), null, false);
	const module = { exports: {} };
	new Function('module', 'exports', 'require', files['Sframe.js'])(module, module.exports, require);
	return module.exports.Sframe || module.exports;
}

const signed = (n) => (n < 0 ? '' : '+') + n;
const register = (reg, offset) => `r${reg}${signed(offset)}`;
const slot = (offset) => `*(cfa${signed(offset)})`;
const undefinedRow = { cfa: 'undefined', ra: 'undefined', fp: 'undefined' };

class Refused extends Error {}

// Section answers requests about a section.
class Section {
	constructor(parsed, address) {
		this.section = parsed.section;
		this.header = this.section.header;
		this.version = this.header.version;
		const name = Object.keys(parsed.constructor.Abi).find((k) => parsed.constructor.Abi[k] === this.header.abiArch);
		this.abi = abis[name];
		if (!this.abi) throw new Refused('unknown ABI');
		this.address = address;
		const fixed = (n) => (n === 0 ? 'unchanged' : slot(n));
		this.ra = this.abi.fixedRA ? slot(this.header.cfaFixedRaOffset) : 'unchanged';
		this.fp = fixed(this.header.cfaFixedFpOffset);
	}

	scaled(word) { return this.abi.scale ? word * this.abi.scale + this.abi.adjust : word; }

	// saved returns where RA or FP of a default FRE is.
	saved(word, padding) {
		if (padding && word === 0) return 'unchanged';
		if (this.abi.scale && this.version === 2 && word & 1) return register(word >> 1, 0);
		return slot(word);
	}

	defaultRow(fre) {
		const words = [...fre.words];
		const row = { cfa: register(fre.baseIsSp ? this.abi.sp : this.abi.fp, this.scaled(words.shift())), ra: this.ra, fp: this.fp };
		if (!this.abi.fixedRA && words.length > 0) row.ra = this.saved(words.shift(), this.abi.padding);
		if (words.length > 0) row.fp = this.saved(words.shift(), false);
		return row;
	}

	flexibleRow(fre) {
		const words = [...fre.words];
		const row = { ra: this.ra, fp: this.fp };
		for (const role of ['cfa', 'ra', 'fp']) {
			if (words.length === 0) break;
			const control = words.shift() & [0xff, 0xffff, 0xffffffff][fre.wordSize];
			if (role !== 'cfa' && control === 0) continue;
			if (words.length === 0) throw new Refused(`${role} has no offset`);
			let offset = words.shift();
			if (role === 'cfa') {
				if (!(control & 1)) throw new Refused('the CFA has no register');
				offset = this.scaled(offset);
			}
			const base = control & 1 ? register(control >>> 3, offset) : 'cfa' + signed(offset);
			row[role] = control & 2 ? `*(${base})` : base;
		}
		return row;
	}

	row(fre, flexible) {
		let rules = undefinedRow;
		if (fre.numWords > 0) {
			rules = flexible ? this.flexibleRow(fre) : this.defaultRow(fre);
		} else if (this.version === 1) {
			throw new Refused('an FRE without data words');
		}
		const row = { start: fre.start, ...rules };
		if (this.abi.pauth) row.mangled_ra = fre.mangledRa;
		return row;
	}

	functions() {
		return this.section.fdes.map((fde, i) => {
			const entry = fde.attribute || fde;
			const size = this.version === 3 ? 16 : this.version === 2 ? 20 : 17;
			let start = this.address + BigInt(fde.startOffset ?? fde.startAddress);
			if (this.header.fdeFuncStartPcrel && this.version > 1) start += BigInt(this.section.headerEnd + this.header.fdeoff + i * size);
			const f = { start: BigInt.asUintN(64, start), size: fde.size, pc_type: entry.mask ? 'mask' : 'inc' };
			if (this.version > 1) f.rep_size = entry.repSize;
			if (this.version > 2) Object.assign(f, { fde_type: entry.flexible ? 'flexible' : 'default', signal: entry.signal });
			if (this.abi.pauth) f.pauth_key = entry.keyB ? 'b' : 'a';
			f.rows = entry.fres.map((fre) => this.row(fre, entry.flexible));
			return f;
		});
	}

	content() {
		const h = this.header;
		return { version: h.version, abi: this.abi.name, flags: h.flags, fixed_fp: h.cfaFixedFpOffset, fixed_ra: h.cfaFixedRaOffset,
			functions: this.functions().map((f) => ({ ...f, start: '0x' + f.start.toString(16) })) };
	}
}

function answer(Sframe, request) {
	if (request.pc !== undefined) return { error: 'the description has no look-ups', unsupported: true };
	try {
		const bytes = Buffer.from(request.section, 'hex');
		return new Section(new Sframe(new KaitaiStream(new Uint8Array(bytes).buffer)), BigInt(request.address)).content();
	} catch (e) {
		return { error: String(e.message || e) };
	}
}

(async () => {
	const Sframe = await load(process.argv[2]);
	const lines = readline.createInterface({ input: process.stdin });
	for await (const line of lines) process.stdout.write(JSON.stringify(answer(Sframe, JSON.parse(line))) + '\n');
})();
