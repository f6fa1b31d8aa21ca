
"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  var blocks = document.querySelectorAll("template.data");
  var S = null; // the section that is shown
  var state = {s: 0, q: "", o: "", w: "", f: -1, r: -1, b: -1, p: ""};
  var hex = function (n) { return "0x" + n.toString(16); };

  function make(tag, words, attributes) {
    var e = document.createElement(tag);
    if (words !== undefined && words !== null) e.textContent = words;
    for (var k in attributes) e.setAttribute(k, attributes[k]);
    return e;
  }

  // A list of very many lines of one height, of which only those in view are elements.
  function Lines(box, height, draw) {
    var inner = box.appendChild(make("div", null, box.getAttribute("role") === "listbox" ? {role: "presentation"} : {}));
    var me = this, most = 8e6, waits = false;
    this.n = 0;
    function top() {
      var all = me.n * height, view = box.clientHeight;
      return all > most ? box.scrollTop / (most - view) * (all - view) : box.scrollTop;
    }
    this.render = function () {
      waits = false;
      inner.style.height = Math.min(me.n * height, most) + "px";
      var at = top(), first = Math.max(Math.floor(at / height) - 4, 0);
      var last = Math.min(first + Math.ceil(box.clientHeight / height) + 8, me.n), lines = [];
      for (var i = first; i < last; i++) {
        var e = draw(i);
        e.style.top = box.scrollTop + i * height - at + "px";
        lines.push(e);
      }
      inner.replaceChildren.apply(inner, lines);
      if (me.drawn) me.drawn();
    };
    this.show = function (i) {
      me.render(); // so that there is enough to scroll
      var all = me.n * height, view = box.clientHeight, at = top(), to = at;
      if (i * height < at) to = i * height;
      if ((i + 1) * height > at + view) to = Math.min((i + 1) * height - view + height * 2, all - view);
      if (to !== at) box.scrollTop = all > most ? to / (all - view) * (most - view) : to;
      me.render();
    };
    this.page = function () { return Math.max(Math.floor(box.clientHeight / height) - 1, 1); };
    box.addEventListener("scroll", function () {
      if (!waits) { waits = true; requestAnimationFrame(me.render); }
    });
    window.addEventListener("resize", me.render);
  }

  // Read the data block of a section: JSON, then columns of numbers, each from a multiple
  // of 8 bytes on.
  async function load(i) {
    var packed = Uint8Array.from(atob(blocks[i].content.textContent), function (c) { return c.charCodeAt(0); });
    var stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    var buffer = await new Response(stream).arrayBuffer(), at = 4, decode = new TextDecoder();
    var length = new DataView(buffer).getUint32(0, true);
    var s = JSON.parse(decode.decode(new Uint8Array(buffer, 4, length)));
    at += length;
    function column(Type, n) {
      at = (at + 7) & ~7;
      var c = new Type(buffer, at, n);
      at += n * Type.BYTES_PER_ELEMENT;
      return c;
    }
    // Functions without an FDE come after those with one.
    s.n = s.fdes + s.others;
    function longer(Type, a) {
      var c = new Type(s.n);
      c.set(a);
      return c;
    }
    s.start = longer(BigUint64Array, column(BigUint64Array, s.fdes));
    s.size_ = longer(Uint32Array, column(Uint32Array, s.fdes));
    s.data = column(Uint32Array, s.fdes);
    s.rows = longer(Uint32Array, column(Uint32Array, s.fdes));
    s.place = longer(Uint32Array, column(Uint32Array, s.fdes));
    s.info = longer(Uint16Array, column(Uint16Array, s.fdes));
    s.rowStart = column(Uint32Array, s.fres);
    s.rowOff = column(Uint32Array, s.fres);
    s.kind = column(Uint16Array, s.fres);
    s.bytes = column(Uint8Array, s.size);
    if (s.listed) {
      s.start.set(column(BigUint64Array, s.others), s.fdes);
      s.size_.set(column(Uint32Array, s.others), s.fdes);
      s.place.set(column(Uint32Array, s.others), s.fdes);
      s.entry = column(Int32Array, s.n);
      s.block = column(Uint32Array, s.n);
      s.in_ = column(Uint16Array, s.n);
      s.flags = column(Uint16Array, s.n);
    }
    at = (at + 7) & ~7;
    s.names = decode.decode(new Uint8Array(buffer, at)).split("\n");
    s.lower = s.names.map(function (n) { return n.toLowerCase(); });
    s.first = new Uint32Array(s.n + 1);
    for (var f = 0; f < s.n; f++) s.first[f + 1] = s.first[f] + s.rows[f];
    s.byData = Uint32Array.from({length: s.fdes}, function (_, k) { return k; }).sort(function (a, b) { return s.data[a] - s.data[b] || a - b; });
    s.attr = s.fields ? s.fields.filter(function (x) { return x.attr; }).reduce(function (n, x) { return Math.max(n, x.off + x.len); }, 0) : 0;
    s.index = i;
    return s;
  }

  var unknown = 0xffffffff;
  function address(f) { return S.place[f] === unknown ? "unknown" : hex(S.start[f]); }
  function name(f) { return S.names[f] || "(no name)"; }
  function width(f) { return [1, 2, 4][S.info[f] & 15] || 0; }

  // The bytes of an FRE end where the next one of the function begins.
  function rowEnd(f, r) {
    var i = S.first[f] + r, k = S.kinds && S.kinds[S.kind[i]];
    if (r + 1 < S.rows[f]) return S.rowOff[i + 1];
    return S.rowOff[i] + width(f) + 1 + (k ? k.words * k.width : 0);
  }

  // What a byte of the section belongs to.
  function owner(b) {
    var in_ = function (x) { return b >= x.off && b < x.off + x.len; };
    var h = (S.header || []).find(in_), i;
    if (h) return {what: "header", part: h};
    if (S.fdes && b >= S.fdeOff && b < S.fdeOff + S.fdes * S.fdeSize) {
      i = Math.floor((b - S.fdeOff) / S.fdeSize);
      return {what: "entry", f: i, from: S.fdeOff + i * S.fdeSize};
    }
    var lo = 0, hi = S.fdes;
    while (lo < hi) {
      var mid = (lo + hi) >> 1;
      if (S.data[S.byData[mid]] <= b) lo = mid + 1; else hi = mid;
    }
    for (i = lo - 1; i >= 0 && i >= lo - 8; i--) {
      var f = S.byData[i];
      if (S.attr && b < S.data[f] + S.attr) return {what: "attr", f: f, from: S.data[f]};
      if (!S.rows[f] || b >= rowEnd(f, S.rows[f] - 1)) continue;
      return {what: "row", f: f, r: search(S.rowOff, S.first[f], S.first[f + 1], b) - S.first[f]};
    }
    return {what: "nothing", part: (S.gaps || []).find(in_)};
  }

  // The last of the ascending numbers from lo to before hi that is not above x.
  function search(numbers, lo, hi, x) {
    var first = lo;
    while (lo < hi) {
      var mid = (lo + hi) >> 1;
      if (numbers[mid] <= x) lo = mid + 1; else hi = mid;
    }
    return Math.max(lo - 1, first);
  }

  function number(off, len, signed) {
    var v = 0n, i;
    for (i = 0; i < len; i++) v = v << 8n | BigInt(S.bytes[S.big ? off + i : off + len - 1 - i] || 0);
    return (signed ? BigInt.asIntN(len * 8, v) : v).toString();
  }

  function bytesOf(off, len) {
    return Array.from(S.bytes.subarray(off, off + len), function (b) { return b.toString(16).padStart(2, "0"); }).join(" ");
  }

  // The functions.
  var found = [];
  var list = new Lines($("list"), 26, function (i) {
    var f = found[i], e = make("div", null, {role: "option", id: "o" + f, "aria-selected": f === state.f, "aria-posinset": i + 1, "aria-setsize": found.length});
    e.append(make("span", name(f), {title: name(f)}));
    var flags = S.listed ? S.flags[f] : 0;
    var mark = flags & errors ? ["!", "error", "has errors"] : flags & warnings ? ["!", "warning", "has warnings"] :
      flags & hasFindings ? ["i", "note", "has notes"] : flags & differs ? ["\u2260", "warning", "its sources differ"] : null;
    if (mark) e.append(make("b", mark[0], {"class": mark[1], title: mark[2], "aria-label": mark[2]}));
    e.append(make("span", address(f)));
    e.index = i;
    return e;
  });

  list.drawn = function () {
    if ($("o" + state.f)) $("list").setAttribute("aria-activedescendant", "o" + state.f);
    else $("list").removeAttribute("aria-activedescendant");
  };

  function find() {
    var words = state.q.toLowerCase().split(/\s+/).filter(Boolean), order = state.o;
    found = [];
    for (var f = 0; f < S.n; f++) {
      if (!wanted(f)) continue;
      if (words.every(function (w) { return S.lower[f] && S.lower[f].includes(w) || contains(f, w); })) found.push(f);
    }
    var less = {
      start: function (a, b) { return S.place[a] - S.place[b] || (S.start[a] < S.start[b] ? -1 : S.start[a] > S.start[b] ? 1 : 0); },
      name: function (a, b) { return S.lower[a] < S.lower[b] ? -1 : S.lower[a] > S.lower[b] ? 1 : a - b; },
      size: function (a, b) { return S.size_[b] - S.size_[a]; },
      rows: function (a, b) { return S.rows[b] - S.rows[a]; }
    }[order];
    if (less) found.sort(less);
    list.n = found.length;
    $("count").textContent = (found.length < S.n ? found.length.toLocaleString("en") + " of " : "") + S.n.toLocaleString("en") + " functions";
  }

  // The bits of flags.
  var differs = 1, hasFindings = 2, noFDE = 4, stub = 8, gap = 16, warnings = 32, errors = 64;

  // The filter: what a function has, or the section that it is in.
  function wanted(f) {
    var w = state.w, g;
    if (w === "x" || w === "m") {
      if (other.index < 0) return true;
      g = inOther(f);
      return w === "m" ? g < 0 : g >= 0 && !same(f, g);
    }
    if (!w || !S.listed) return true;
    if (w[0] === "s") return S.in_[f] === Number(w.slice(1));
    return (S.flags[f] & {d: differs, f: hasFindings, n: noFDE, p: stub, g: gap}[w]) !== 0;
  }

  // An address finds the function that has it.
  function contains(f, word) {
    if (!/^(0x)?[0-9a-f]{1,16}$/.test(word) || S.place[f] === unknown) return false;
    var at = BigInt(word.startsWith("0x") ? word : "0x" + word);
    return at >= S.start[f] && at - S.start[f] < BigInt(S.size_[f]);
  }

  function showList() {
    var i = found.indexOf(state.f);
    if (i >= 0) list.show(i); else list.render();
  }

  // The function.
  var perPage = 200;
  function showFunction() {
    var f = state.f, box = $("rowbox"), pages = $("pages");
    $("fields").hidden = f < 0;
    box.replaceChildren();
    pages.replaceChildren();
    if (f < 0) {
      $("name").textContent = S.n ? "Choose a function" : "No functions";
      $("facts").textContent = "";
      showOther();
      showRow();
      showCode();
      return;
    }
    var place = S.places[S.place[f]];
    $("name").textContent = name(f);
    $("facts").textContent = (f < S.fdes ? "FDE " + f : "No FDE") + ", " + (S.place[f] === unknown ? "start unknown" : address(f) + " to " + hex(S.start[f] + BigInt(S.size_[f]))) +
      (place ? " in " + place : "") + ", " + S.size_[f].toLocaleString("en") + " bytes; " + (S.infos[S.info[f]] || "");
    showOther();
    var n = S.rows[f], from = Math.floor(Math.max(state.r, 0) / perPage) * perPage, to = Math.min(from + perPage, n);
    if (n === 0) box.append(make("p", f < S.fdes ? "No FREs." : "No FDE describes this code.", {"class": "sum"}));
    else box.append(rowTable(f, from, to));
    if (n > perPage) {
      [["Previous", from - perPage], ["Next", from + perPage]].forEach(function (x) {
        var b = make("button", x[0], {type: "button"});
        b.disabled = x[1] < 0 || x[1] >= n;
        b.onclick = function () { pickRow(x[1]); };
        pages.append(b);
      });
      pages.append(make("span", "FREs " + from + " to " + (to - 1) + " of " + n));
    }
    fieldTable(f);
    showRow();
    showCode();
  }

  function rowTable(f, from, to) {
    var table = make("table", null, {role: "grid", "aria-label": "FREs of " + name(f), "aria-rowcount": S.rows[f] + 1}), i;
    var head = table.appendChild(make("tr")), mask = (S.info[f] & 16) !== 0;
    [mask || S.place[f] === unknown ? "Offset" : "PC", "CFA", "RA", "FP"].forEach(function (t) { head.append(make("th", t, {scope: "col"})); });
    head.setAttribute("aria-rowindex", 1);
    for (i = from; i < to; i++) {
      var at = S.first[f] + i, k = S.kinds[S.kind[at]] || {cfa: "?", ra: "?", fp: "?"};
      var tr = make("tr", null, {"aria-rowindex": i + 2, "aria-selected": i === state.r, tabindex: i === Math.max(state.r, from) ? 0 : -1});
      var start = BigInt(S.rowStart[at]);
      if (!mask && S.place[f] !== unknown) start += S.start[f];
      [hex(start), k.cfa, k.ra, k.fp].forEach(function (t) { tr.append(make("td", t, {role: "gridcell"})); });
      tr.row = i;
      table.append(tr);
    }
    return table;
  }

  // The fields of the FDE and of the chosen FRE.
  function fieldTable(f) {
    var table = make("table", null, {"class": "fields"}), head = table.appendChild(make("tr"));
    ["Field", "Value", "Offset", "Bytes"].forEach(function (t) { head.append(make("th", t, {scope: "col"})); });
    function add(title, off, len, signed) {
      var tr = table.appendChild(make("tr"));
      tr.append(make("th", title, {scope: "row"}), make("td", number(off, len, signed)));
      var b = make("button", hex(off), {type: "button", "aria-label": "Show " + title + " at " + hex(off)});
      b.onclick = function () { pickByte(off); $("hex").focus(); };
      tr.appendChild(make("td")).append(b);
      tr.append(make("td", bytesOf(off, len)));
      tr.off = off;
      tr.len = len;
    }
    $("fields").hidden = f >= S.fdes;
    if (f >= S.fdes) { $("fieldbox").replaceChildren(); return; }
    S.fields.forEach(function (x) { add(x.name, (x.attr ? S.data[f] : S.fdeOff + f * S.fdeSize) + x.off, x.len, /start_addr|start_off/.test(x.name) && !/fre/.test(x.name)); });
    if (state.r >= 0 && state.r < S.rows[f]) {
      var off = S.rowOff[S.first[f] + state.r], w = width(f), k = S.kinds[S.kind[S.first[f] + state.r]];
      add("FRE start", off, w);
      add("FRE info", off + w, 1);
      for (var i = 0; k && i < k.words; i++) add("data word " + i, off + w + 1 + i * k.width, k.width, true);
    }
    $("fieldbox").replaceChildren(table);
  }

  function showRow() {
    var f = state.f, r = state.r, box = $("frame");
    box.replaceChildren();
    document.querySelectorAll("#rowbox tr[aria-selected]").forEach(function (tr) {
      tr.setAttribute("aria-selected", tr.row === r);
      tr.tabIndex = tr.row === Math.max(r, 0) ? 0 : -1;
    });
    if (f < 0 || r < 0 || r >= S.rows[f]) return;
    var k = S.kinds[S.kind[S.first[f] + r]], t = k && $("p" + S.index + "-" + k.pic);
    if (t) {
      box.append(t.content.cloneNode(true));
      var i = S.first[f] + r, end = r + 1 < S.rows[f] ? S.rowStart[i + 1] : null;
      box.querySelector("figcaption").textContent = "The stack frame from offset " + hex(S.rowStart[i]) + (end === null ? " to the end" : " to " + hex(end));
    } else box.append(make("p", "There is no picture: dump prints this FRE.", {"class": "sum"}));
  }

  // The code. Blocks of instructions are read when one of their functions is shown.
  var code = [], perCode = 400, blocksRead = new Map();
  async function readBlock(k) {
    if (!blocksRead.has(k)) {
      var packed = Uint8Array.from(atob($("c" + k).content.textContent), function (c) { return c.charCodeAt(0); });
      var stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      if (blocksRead.size > 16) blocksRead.clear();
      blocksRead.set(k, new Response(stream).json());
    }
    return blocksRead.get(k);
  }

  async function showCode() {
    var f = state.f, box = $("codebox"), none = f < 0 || !S.listed || S.entry[f] < 0;
    $("code").hidden = none;
    if (none) { code = []; box.replaceChildren(); return; }
    if (box.f === f && box.s === state.s) { pageCode(); return; }
    var entry = S.entry[f], of = (await readBlock(S.block[f])).find(function (x) { return x[0] === entry; });
    if (f !== state.f) return;
    code = of ? of[1] : [];
    box.f = f;
    box.s = state.s;
    box.from = -1;
    // A link to an address in an instruction chooses the instruction.
    if (state.p) state.p = (code.filter(function (x) { return BigInt("0x" + x[0]) <= BigInt("0x" + state.p); }).pop() || [state.p])[0];
    var l = code.find(function (x) { return x[0] === state.p; });
    if (l && l[9] >= 0 && state.r < 0 && f < S.fdes) pickRow(l[9]); // a link names only the instruction
    pageCode();
  }

  function pageCode() {
    var at = code.findIndex(function (l) { return l[0] === state.p; }), box = $("codebox");
    var from = Math.floor(Math.max(at, 0) / perCode) * perCode;
    if (box.from !== from) {
      box.from = from;
      box.replaceChildren(codeTable(from, Math.min(from + perCode, code.length)));
      $("codepages").replaceChildren();
      if (code.length > perCode) {
        [["Previous", from - perCode], ["Next", from + perCode]].forEach(function (x) {
          var b = make("button", x[0], {type: "button"});
          b.disabled = x[1] < 0 || x[1] >= code.length;
          b.onclick = function () { pickCode(code[x[1]][0]); };
          $("codepages").append(b);
        });
        $("codepages").append(make("span", "Instructions " + from + " to " + (Math.min(from + perCode, code.length) - 1) + " of " + code.length));
      }
    }
    markCode();
    var tr = box.querySelector("tr[aria-selected='true']");
    if (tr) tr.scrollIntoView({block: "nearest"});
  }

  function codeTable(from, to) {
    var table = make("table", null, {role: "grid", "aria-label": "Instructions of " + name(state.f)}), head = table.appendChild(make("thead")).appendChild(make("tr"));
    var body = table.appendChild(make("tbody")), line = "", names = ["PC", "Bytes", "Instruction"].concat(S.fdes ? ["SFrame"] : [], ["CFI", "Code", "Differs"]);
    names.forEach(function (t) { head.append(make("th", t, {scope: "col"})); });
    for (var i = from; i < to; i++) {
      var l = code[i];
      if (l[10] && l[10] !== line) {
        line = l[10];
        body.appendChild(make("tr", null, {"class": "source"})).append(make("td", line, {colspan: names.length, role: "gridcell"}));
      }
      var tr = make("tr", null, {tabindex: -1, "aria-selected": "false"}), wrong = l[8] && l[8].length;
      if (wrong) tr.className = "differs";
      tr.append(make("td", l[0], {role: "gridcell"}), make("td", l[1].replace(/(..)/g, "$1 ").trim(), {role: "gridcell", "class": "raw"}));
      tr.append(instruction(l));
      var cfi = S.fdes && l[5] !== "-" && l[6] === l[5] ? "=" : l[6];
      (S.fdes ? [l[5]] : []).concat([cfi, l[7], (l[8] || []).join(", ")]).forEach(function (t) { tr.append(make("td", t, {role: "gridcell"})); });
      tr.pc = l[0];
      tr.fre = l[9];
      body.append(tr);
      (l[11] || []).forEach(function (x) {
        var td = body.appendChild(make("tr", null, {"class": "finding " + x.severity})).appendChild(make("td", null, {colspan: names.length, role: "gridcell"})).appendChild(make("div"));
        td.append(make("b", x.rule + " " + x.severity), ": " + x.message + (x.help ? ". Help: " + x.help : "") + " ");
        if (x.off >= 0) {
          var b = make("button", hex(x.off) + "+" + x.len, {type: "button", title: "Show these bytes"});
          b.onclick = function (e) { e.stopPropagation(); pickByte(x.off); $("hex").focus(); };
          td.append(b);
        }
      });
    }
    return table;
  }

  // A target in the code is a link.
  function instruction(l) {
    var td = make("td", null, {role: "gridcell", "class": "insn"});
    td.append(l[2]);
    if (!l[3]) return td;
    td.append(" ");
    var f = l[4] ? functionAt(BigInt("0x" + l[4])) : -1;
    if (f < 0) { td.append(make("span", "<" + l[3] + ">", {"class": "to"})); return td; }
    var a = make("a", "<" + l[3] + ">", {href: "#" + link(f, l[4]), tabindex: -1});
    td.append(a);
    return td;
  }

  function link(f, pc) {
    var p = new URLSearchParams();
    if (state.s) p.set("s", state.s);
    p.set("f", f);
    p.set("p", pc);
    return p;
  }

  // The function with an address, in the place of the one that is shown; below 0 for none.
  function functionAt(at, place) {
    if (place === undefined) place = S.place[state.f];
    if (!S.byStart) S.byStart = Uint32Array.from({length: S.n}, function (_, k) { return k; }).sort(function (a, b) { return S.start[a] < S.start[b] ? -1 : S.start[a] > S.start[b] ? 1 : 0; });
    var lo = 0, hi = S.n;
    while (lo < hi) {
      var mid = (lo + hi) >> 1;
      if (S.start[S.byStart[mid]] <= at) lo = mid + 1; else hi = mid;
    }
    for (var i = lo - 1; i >= 0 && i >= lo - 64; i--) {
      var f = S.byStart[i];
      if (S.place[f] === place && at - S.start[f] < BigInt(S.size_[f])) return f;
    }
    return -1;
  }

  // Marks the chosen instruction, and those in the chosen FRE.
  function markCode() {
    document.querySelectorAll("#codebox tbody tr").forEach(function (tr) {
      if (tr.pc === undefined) return;
      tr.setAttribute("aria-selected", tr.pc === state.p);
      tr.classList.toggle("inrow", state.r >= 0 && tr.fre === state.r);
      tr.tabIndex = tr.pc === (state.p || code[0] && code[0][0]) ? 0 : -1;
    });
  }

  // The picture of the frame and the FRE follow the instruction.
  function pickCode(pc, focus) {
    var l = code.find(function (x) { return x[0] === pc; });
    if (!l) return;
    state.p = pc;
    if (l[9] >= 0 && state.f < S.fdes && l[9] !== state.r) pickRow(l[9]);
    pageCode();
    if (focus) { var tr = document.querySelector("#codebox tr[aria-selected='true']"); if (tr) tr.focus({preventScroll: true}); }
    save();
  }

  function showFilter() {
    $("marks").hidden = !S.listed;
    $("only").hidden = !S.listed && other.index < 0;
    if ($("only").hidden) return;
    var all = [["", "all functions"]];
    if (other.index >= 0) all.push(["x", "that the other file has otherwise"], ["m", "that the other file lacks"]);
    if (S.listed) all.push(["f", "with findings"], ["d", "that differ"], ["n", "without an FDE"], ["p", "stubs"], ["g", "gaps"]);
    (S.sections || []).forEach(function (x, i) { all.push(["s" + i, "in " + x]); });
    $("only").replaceChildren.apply($("only"), all.map(function (x) { return make("option", x[1], {value: x[0]}); }));
    $("only").value = state.w;
  }

  function showFindings() {
    var all = S.findings || [], box = $("findings");
    box.hidden = !all.length;
    if (!all.length) return;
    box.querySelector("summary").textContent = all.length + (all.length === 1 ? " finding" : " findings") + " on code";
    var ul = make("ul");
    all.slice(0, 500).forEach(function (x) {
      var li = ul.appendChild(make("li", null, {"class": x.severity})), f = functionAt(BigInt("0x" + x.pc), x.place);
      li.append(f < 0 ? make("b", x.rule) : make("a", x.rule + " in " + name(f), {href: "#" + link(f, x.pc)}), " " + x.message);
    });
    if (all.length > 500) ul.append(make("li", "and " + (all.length - 500) + " more: choose the functions with findings"));
    box.querySelector("div").replaceChildren(ul);
  }

  // Which code has FDEs, and where something is wrong, by address.
  function strip() {
    var canvas = $("strip");
    canvas.hidden = !S.listed || !S.n;
    if (canvas.hidden) return;
    var w = canvas.width = Math.max(canvas.clientWidth, 1) * (window.devicePixelRatio || 1), h = canvas.height = 16, g = canvas.getContext("2d");
    functionAt(0n);
    var total = 0, covered = 0, order = Array.from(S.byStart).filter(function (f) { return S.entry[f] >= 0; }).sort(function (a, b) { return S.place[a] - S.place[b]; });
    order.forEach(function (f) { total += S.size_[f]; if (f < S.fdes) covered += S.size_[f]; });
    var style = getComputedStyle(document.documentElement), color = function (n) { return style.getPropertyValue(n).trim(); };
    var colors = [color("--ok") || "#2f855a", color("--warning") || "#b7791f", color("--error") || "#c53030"], rank = new Uint8Array(Math.ceil(w) + 1), at = 0;
    canvas.spans = [];
    order.forEach(function (f) {
      var x = at / total * w, level = S.flags[f] & (errors | warnings) ? 3 : S.flags[f] & (differs | noFDE) ? 2 : 1;
      at += S.size_[f];
      for (var i = Math.floor(x); i <= at / total * w && i < rank.length; i++) rank[i] = Math.max(rank[i], level);
      canvas.spans.push([at, f]);
    });
    for (var i = 0; i < w; i++) if (rank[i]) { g.fillStyle = colors[rank[i] - 1]; g.fillRect(i, 0, 1, h); }
    canvas.total = total;
    canvas.setAttribute("aria-label", "Code by address: FDEs for " + covered.toLocaleString("en") + " of " + total.toLocaleString("en") + " bytes");
    canvas.title = canvas.getAttribute("aria-label");
  }

  // The bytes.
  var perLine = 16;
  var lines = new Lines($("hex"), 20, function (i) {
    var e = make("div"), from = i * perLine;
    e.append(make("span", from.toString(16).padStart(6, "0"), {"class": "off"}));
    for (var b = from; b < Math.min(from + perLine, S.size); b++) {
      var x = make("i", S.bytes[b].toString(16).padStart(2, "0"), {"class": classOf(b)});
      x.at = b;
      e.append(x);
    }
    return e;
  });

  function classOf(b) {
    var o = owner(b), c = [];
    if (o.f === state.f && o.f >= 0) c.push(o.what === "row" && o.r === state.r ? "row" : "mine");
    else if (o.what === "header") c.push("head");
    else if (o.what === "entry") c.push(o.f & 1 ? "entry" : "");
    else if (o.what === "row" || o.what === "attr") c.push(o.f & 1 ? "odd" : "");
    if (b === state.b) c.push("cursor");
    if ((S.faults || []).some(function (x) { return b >= x.off && b < x.off + x.len; })) c.push("bad");
    return c.join(" ");
  }

  function describe(b) {
    var o = owner(b), s = hex(b) + ": ";
    if (o.what === "header") return s + o.part.name + " (" + o.part.text + "), in the header";
    if (o.what === "entry" || o.what === "attr") {
      var x = S.fields.find(function (y) { return y.attr === (o.what === "attr") && b >= o.from + y.off && b < o.from + y.off + y.len; });
      return s + (x ? x.name : "a byte") + " of FDE " + o.f + ", " + name(o.f);
    }
    if (o.what === "row") {
      var w = width(o.f), d = b - S.rowOff[S.first[o.f] + o.r], k = S.kinds[S.kind[S.first[o.f] + o.r]];
      return s + (d < w ? "start" : d === w ? "info" : "data word " + Math.floor((d - w - 1) / (k ? k.width : 1))) + " of FRE " + o.r + " of FDE " + o.f + ", " + name(o.f);
    }
    return s + (o.part ? o.part.text : "belongs to nothing that could be decoded");
  }

  function pickFunction(f, keep) {
    state.f = f;
    state.r = f >= 0 && S.rows[f] ? 0 : -1;
    if (!keep) { state.b = f >= 0 && f < S.fdes ? S.fdeOff + f * S.fdeSize : -1; state.p = ""; }
    showFunction();
    showList();
    showBytes();
    save();
  }

  function pickRow(r, focus) {
    var f = state.f, paged = Math.floor(r / perPage) !== Math.floor(Math.max(state.r, 0) / perPage);
    state.r = Math.min(Math.max(r, 0), S.rows[f] - 1);
    state.b = S.rowOff[S.first[f] + state.r];
    if (paged) showFunction(); else { fieldTable(f); showRow(); markCode(); }
    var tr = Array.from(document.querySelectorAll("#rowbox tr")).find(function (x) { return x.row === state.r; });
    if (tr) { tr.scrollIntoView({block: "nearest"}); if (focus) tr.focus({preventScroll: true}); }
    showBytes();
    save();
  }

  function pickByte(b) {
    state.b = Math.min(Math.max(b, 0), S.size - 1);
    showBytes();
    save();
  }

  // Enter or a click goes to what a byte belongs to.
  function follow(b) {
    var o = owner(b);
    state.b = b;
    if (o.f >= 0) {
      if (o.f !== state.f) pickFunction(o.f, true);
      if (o.what === "row") pickRow(o.r);
    }
    pickByte(b);
  }

  function showBytes() {
    $("owner").textContent = state.b >= 0 ? describe(state.b) : S.size ? "Choose a byte to see what it belongs to." : "The section is empty.";
    if (state.b >= 0) lines.show(Math.floor(state.b / perLine)); else lines.render();
  }

  function partTable(parts) {
    var table = make("table", null, {"class": "fields"});
    parts.forEach(function (x) {
      var tr = table.appendChild(make("tr")), b = make("button", hex(x.off), {type: "button", "aria-label": "Show " + x.name + " at " + hex(x.off)});
      b.onclick = function () { pickByte(x.off); $("hex").focus(); };
      tr.append(make("th", x.name, {scope: "row"}));
      tr.appendChild(make("td")).append(b);
      tr.append(make("td", x.text));
    });
    return table;
  }

  function showFaults() {
    var box = $("faults"), all = S.faults || [];
    box.hidden = all.length === 0;
    box.replaceChildren();
    if (!all.length) return;
    box.append(make("p", "Not all of the section could be decoded:"));
    var ul = box.appendChild(make("ul"));
    all.slice(0, 50).forEach(function (x) {
      var li = ul.appendChild(make("li")), b = make("button", hex(x.off), {type: "button", "aria-label": "Show the bytes at " + hex(x.off)});
      b.onclick = function () { follow(Math.min(x.off, S.size - 1)); };
      li.append(b, " " + x.text);
    });
    var more = all.length - 50 + S.more;
    if (more > 0) ul.append(make("li", "and " + more + " more"));
  }

  // The fragment of the address has the state.
  function save() {
    var p = new URLSearchParams();
    Object.keys(state).forEach(function (k) { if (state[k] !== "" && state[k] !== -1 && !(k === "s" && !state.s)) p.set(k, k === "b" ? hex(state.b) : state[k]); });
    var hash = "#" + p;
    if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  }

  // A link from a report names a file or a member, an address and a byte.
  async function resolve(p) {
    var i = Array.from(blocks).findIndex(function (x) { return (!p.has("m") || x.dataset.file === p.get("m")) && (!p.has("n") || x.dataset.member === p.get("n")); });
    if (i < 0) return;
    if (!S || S.index !== i) S = await load(i);
    var place = p.has("l") ? Number(p.get("l")) : undefined;
    var f = /^[0-9a-f]{1,16}$/.test(p.get("a") || "") ? functionAt(BigInt("0x" + p.get("a")), place === undefined ? S.n ? S.place[0] : 0 : place) : -1;
    state.s = i;
    ["m", "n", "l"].forEach(function (k) { p.delete(k); });
    p.set("s", i);
    if (f >= 0) { p.set("f", f); p.set("p", p.get("a")); }
    p.delete("a");
    history.replaceState(null, "", "#" + p);
  }

  // With two files: the same function in the other one.
  var other = {index: -1};
  async function loadOther() {
    var mine = blocks[S.index].dataset, all = Array.from(blocks);
    var files = new Set(all.map(function (x) { return x.dataset.file; })), i = -1;
    if (files.size === 2) {
      i = all.findIndex(function (x) { return x.dataset.file !== mine.file && x.dataset.member === mine.member; });
      if (i < 0) i = all.findIndex(function (x) { return x.dataset.file !== mine.file; });
    }
    if (i === other.index) return;
    other = i < 0 ? {index: i} : await load(i);
    if (i < 0) return;
    other.byName = new Map();
    for (var f = other.n - 1; f >= 0; f--) if (other.names[f]) other.byName.set(other.names[f], f);
    other.byAddress = new Map();
    for (f = other.n - 1; f >= 0; f--) if (!other.names[f]) other.byAddress.set(other.start[f], f);
  }

  function inOther(f) {
    if (other.index < 0 || f < 0) return -1;
    var g = S.names[f] ? other.byName.get(S.names[f]) : other.byAddress.get(S.start[f]);
    return g === undefined ? -1 : g;
  }

  // Whether a function has the same size and rows in the other file.
  function same(f, g) {
    if (S.size_[f] !== other.size_[g] || S.rows[f] !== other.rows[g] || (f < S.fdes) !== (g < other.fdes)) return false;
    for (var r = 0; r < S.rows[f]; r++) {
      var i = S.first[f] + r, j = other.first[g] + r, a = S.kinds[S.kind[i]], b = other.kinds[other.kind[j]];
      if (S.rowStart[i] !== other.rowStart[j] || !a || !b || a.cfa !== b.cfa || a.ra !== b.ra || a.fp !== b.fp) return false;
    }
    return true;
  }

  function showOther() {
    var f = state.f, b = $("other"), g = inOther(f);
    b.hidden = other.index < 0 || f < 0;
    if (b.hidden) return;
    b.disabled = g < 0;
    b.textContent = g < 0 ? "Not in the other file" : same(f, g) ? "Same in the other file" : "Differs in the other file";
    b.title = blocks[other.index].dataset.file + " (key o)";
  }

  function goToOther() {
    var f = state.f, g = inOther(f);
    if (g < 0) return;
    var p = new URLSearchParams({s: other.index, f: g});
    if (state.p) p.set("p", (BigInt("0x" + state.p) - S.start[f] + other.start[g]).toString(16));
    else if (state.r >= 0 && state.r < other.rows[g]) p.set("r", state.r);
    if (state.q) p.set("q", state.q);
    if (state.w) p.set("w", state.w);
    location.hash = "#" + p;
  }

  async function restore() {
    var p = new URLSearchParams(location.hash.slice(1));
    if (p.has("a") || p.has("m") || p.has("n")) {
      await resolve(p);
      p = new URLSearchParams(location.hash.slice(1));
    }
    var number = function (k, least) { var n = Number(p.get(k)); return p.has(k) && Number.isInteger(n) && n >= 0 ? n : least; };
    state.q = p.get("q") || "";
    state.o = p.get("o") || "";
    state.w = /^([dfnpgxm]|s\d+)$/.test(p.get("w") || "") ? p.get("w") : "";
    state.p = /^[0-9a-f]{1,16}$/.test(p.get("p") || "") ? p.get("p") : "";
    state.s = Math.min(number("s", 0), blocks.length - 1);
    $("q").value = state.q;
    $("order").value = state.o;
    if ($("section")) $("section").value = state.s;
    if (!S || S.index !== state.s) S = await load(state.s);
    if (location.hash.length < 2 && S.findings && S.findings.length) { // a page that is opened shows the most severe finding
      await resolve(new URLSearchParams({a: S.findings[0].pc, l: S.findings[0].place}));
      p = new URLSearchParams(location.hash.slice(1));
      state.p = p.get("p") || "";
    }
    await loadOther();
    var most = function (n, end) { return n < end ? n : -1; };
    // Without findings, that is the first function.
    state.f = most(number("f", /^#?(s=\d+)?$/.test(location.hash) ? (S.listed ? Math.max(S.entry.findIndex(function (x) { return x >= 0; }), 0) : 0) : -1), S.n);
    state.r = state.f < 0 ? -1 : most(number("r", location.hash.length < 2 ? 0 : -1), S.rows[state.f]);
    state.b = most(number("b", -1), S.size);
    if (state.b < 0 && state.f >= 0 && state.f < S.fdes) state.b = state.r >= 0 ? S.rowOff[S.first[state.f] + state.r] : S.fdeOff + state.f * S.fdeSize;
    $("about").textContent = S.about;
    $("headerbox").replaceChildren(partTable((S.header || []).concat(S.gaps || [])));
    lines.n = Math.ceil(S.size / perLine);
    $("view").hidden = false;
    showFaults();
    showFilter();
    showFindings();
    find();
    showFunction();
    showList();
    showBytes();
    strip();
    document.documentElement.dataset.ready = Math.round(performance.now());
  }

  $("search").addEventListener("submit", function (e) {
    e.preventDefault();
    if (found.length) { pickFunction(found[0]); $("list").focus(); }
  });
  $("search").addEventListener("input", function () {
    state.q = $("q").value;
    state.o = $("order").value;
    state.w = $("only").value;
    find();
    $("list").scrollTop = 0;
    showList();
    save();
  });
  if ($("section")) $("section").addEventListener("change", function () { location.hash = "#s=" + $("section").value; });
  $("list").addEventListener("click", function (e) {
    var x = e.target.closest("[role=option]");
    if (x) pickFunction(found[x.index]);
  });
  $("list").addEventListener("keydown", function (e) {
    var i = found.indexOf(state.f), to = {ArrowDown: i + 1, ArrowUp: i - 1, PageDown: i + list.page(), PageUp: i - list.page(), Home: 0, End: found.length - 1}[e.key];
    if (e.key === "Enter") { var tr = document.querySelector("#rowbox tr[tabindex='0']"); if (tr) tr.focus(); return; }
    if (to === undefined || !found.length) return;
    e.preventDefault();
    pickFunction(found[Math.min(Math.max(to, 0), found.length - 1)]);
  });
  $("rowbox").addEventListener("click", function (e) {
    var tr = e.target.closest("tr");
    if (tr && tr.row !== undefined) pickRow(tr.row);
  });
  $("rowbox").addEventListener("keydown", function (e) {
    var r = state.r, to = {ArrowDown: r + 1, ArrowUp: r - 1, PageDown: r + 12, PageUp: r - 12, Home: 0, End: S.rows[state.f] - 1}[e.key];
    if (to === undefined || e.target.row === undefined) return;
    e.preventDefault();
    pickRow(to, true);
  });
  $("hex").addEventListener("click", function (e) { if (e.target.at !== undefined) follow(e.target.at); });
  $("hex").addEventListener("keydown", function (e) {
    var b = state.b, page = lines.page() * perLine;
    var to = {ArrowRight: b + 1, ArrowLeft: b - 1, ArrowDown: b + perLine, ArrowUp: b - perLine, PageDown: b + page, PageUp: b - page, Home: 0, End: S.size - 1}[e.key];
    if (e.key === "Enter" && b >= 0) { follow(b); return; }
    if (to === undefined || !S.size) return;
    e.preventDefault();
    pickByte(to);
  });
  $("codebox").addEventListener("click", function (e) {
    var tr = e.target.closest("tr");
    if (tr && tr.pc !== undefined && !e.target.closest("a")) pickCode(tr.pc);
  });
  $("codebox").addEventListener("keydown", function (e) {
    var i = code.findIndex(function (l) { return l[0] === e.target.pc; }), to = {ArrowDown: i + 1, ArrowUp: i - 1, PageDown: i + 20, PageUp: i - 20, Home: 0, End: code.length - 1}[e.key];
    if (i < 0) return;
    if (e.key === "Enter") { var a = e.target.querySelector("a"); if (a) a.click(); return; }
    if (e.key === "n" || e.key === "p") { // the next or previous difference or finding
      var step = e.key === "n" ? 1 : -1;
      for (to = i + step; to >= 0 && to < code.length && !(code[to][8] || []).length && !code[to][11]; to += step);
      if (to < 0 || to >= code.length) return;
    }
    if (to === undefined) return;
    e.preventDefault();
    pickCode(code[Math.min(Math.max(to, 0), code.length - 1)][0], true);
  });
  $("other").addEventListener("click", goToOther);
  $("strip").addEventListener("click", function (e) {
    var c = $("strip"), at = e.offsetX / c.clientWidth * c.total, x = c.spans.find(function (s) { return at < s[0]; });
    if (x) pickFunction(x[1]);
  });
  // What the pointer is over is marked on both sides: fields and rows, and their bytes.
  function hover(from, to) {
    document.querySelectorAll("#hex i").forEach(function (x) { x.classList.toggle("hover", x.at >= from && x.at < to); });
    document.querySelectorAll("#fieldbox tr").forEach(function (tr) { tr.classList.toggle("hover", tr.off < to && tr.off + tr.len > from); });
  }
  $("hex").addEventListener("mouseover", function (e) { if (e.target.at !== undefined) { hover(e.target.at, e.target.at + 1); $("owner").textContent = describe(e.target.at); } });
  $("hex").addEventListener("mouseleave", function () { hover(-1, -1); if (state.b >= 0) $("owner").textContent = describe(state.b); });
  $("fieldbox").addEventListener("mouseover", function (e) { var tr = e.target.closest("tr"); if (tr && tr.off !== undefined) hover(tr.off, tr.off + tr.len); });
  ["rowbox", "codebox"].forEach(function (id) {
    $(id).addEventListener("mouseover", function (e) {
      var tr = e.target.closest("tr"), r = tr ? (id === "rowbox" ? tr.row : tr.fre) : undefined;
      if (r >= 0 && state.f < S.fdes && r < S.rows[state.f]) hover(S.rowOff[S.first[state.f] + r], rowEnd(state.f, r));
    });
  });
  ["rowbox", "codebox", "fieldbox"].forEach(function (id) { $(id).addEventListener("mouseleave", function () { hover(-1, -1); }); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () { if (S) strip(); });
  window.addEventListener("resize", function () { if (S) strip(); });

  document.addEventListener("keydown", function (e) {
    if (e.key === "/" && !/^(INPUT|SELECT)$/.test(e.target.tagName)) { e.preventDefault(); $("q").focus(); }
    if (e.key === "o" && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(INPUT|SELECT)$/.test(e.target.tagName)) goToOther();
  });
  window.addEventListener("hashchange", restore);
  if (matchMedia("(max-width: 48rem)").matches) perLine = 8;
  if (blocks.length) restore();
})();
