
"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  var blocks = document.querySelectorAll("template.data");
  var S = null; // the section that is shown
  var state = {s: 0, q: "", o: "", f: -1, r: -1, b: -1};
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
    s.start = column(BigUint64Array, s.fdes);
    s.size_ = column(Uint32Array, s.fdes);
    s.data = column(Uint32Array, s.fdes);
    s.rows = column(Uint32Array, s.fdes);
    s.place = column(Uint32Array, s.fdes);
    s.info = column(Uint16Array, s.fdes);
    s.rowStart = column(Uint32Array, s.fres);
    s.rowOff = column(Uint32Array, s.fres);
    s.kind = column(Uint16Array, s.fres);
    s.bytes = column(Uint8Array, s.size);
    at = (at + 7) & ~7;
    s.names = decode.decode(new Uint8Array(buffer, at)).split("\n");
    s.lower = s.names.map(function (n) { return n.toLowerCase(); });
    s.first = new Uint32Array(s.fdes + 1);
    for (var f = 0; f < s.fdes; f++) s.first[f + 1] = s.first[f] + s.rows[f];
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
    e.append(make("span", name(f), {title: name(f)}), make("span", address(f)));
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
    for (var f = 0; f < S.fdes; f++) {
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
    $("count").textContent = (found.length < S.fdes ? found.length.toLocaleString("en") + " of " : "") + S.fdes.toLocaleString("en") + " functions";
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
      $("name").textContent = S.fdes ? "Choose a function" : "No functions";
      $("facts").textContent = "";
      showRow();
      return;
    }
    var place = S.places[S.place[f]];
    $("name").textContent = name(f);
    $("facts").textContent = "FDE " + f + ", " + (S.place[f] === unknown ? "start unknown" : address(f) + " to " + hex(S.start[f] + BigInt(S.size_[f]))) +
      (place ? " in " + place : "") + ", " + S.size_[f].toLocaleString("en") + " bytes; " + (S.infos[S.info[f]] || "");
    var n = S.rows[f], from = Math.floor(Math.max(state.r, 0) / perPage) * perPage, to = Math.min(from + perPage, n);
    if (n === 0) box.append(make("p", "No FREs.", {"class": "sum"}));
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
    }
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
    if (!keep) state.b = f >= 0 ? S.fdeOff + f * S.fdeSize : -1;
    showFunction();
    showList();
    showBytes();
    save();
  }

  function pickRow(r, focus) {
    var f = state.f, paged = Math.floor(r / perPage) !== Math.floor(Math.max(state.r, 0) / perPage);
    state.r = Math.min(Math.max(r, 0), S.rows[f] - 1);
    state.b = S.rowOff[S.first[f] + state.r];
    if (paged) showFunction(); else { fieldTable(f); showRow(); }
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

  async function restore() {
    var p = new URLSearchParams(location.hash.slice(1));
    var number = function (k, least) { var n = Number(p.get(k)); return p.has(k) && Number.isInteger(n) && n >= 0 ? n : least; };
    state.q = p.get("q") || "";
    state.o = p.get("o") || "";
    state.s = Math.min(number("s", 0), blocks.length - 1);
    $("q").value = state.q;
    $("order").value = state.o;
    if ($("section")) $("section").value = state.s;
    if (!S || S.index !== state.s) S = await load(state.s);
    var most = function (n, end) { return n < end ? n : -1; };
    // A page that is opened shows the first function.
    state.f = most(number("f", /^#?(s=\d+)?$/.test(location.hash) ? 0 : -1), S.fdes);
    state.r = state.f < 0 ? -1 : most(number("r", -1), S.rows[state.f]);
    state.b = most(number("b", -1), S.size);
    if (state.b < 0 && state.f >= 0) state.b = state.r >= 0 ? S.rowOff[S.first[state.f] + state.r] : S.fdeOff + state.f * S.fdeSize;
    $("about").textContent = S.about;
    $("headerbox").replaceChildren(partTable((S.header || []).concat(S.gaps || [])));
    lines.n = Math.ceil(S.size / perLine);
    $("view").hidden = false;
    showFaults();
    find();
    showFunction();
    showList();
    showBytes();
    document.documentElement.dataset.ready = Math.round(performance.now());
  }

  $("search").addEventListener("submit", function (e) {
    e.preventDefault();
    if (found.length) { pickFunction(found[0]); $("list").focus(); }
  });
  $("search").addEventListener("input", function () {
    state.q = $("q").value;
    state.o = $("order").value;
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
  document.addEventListener("keydown", function (e) {
    if (e.key === "/" && !/^(INPUT|SELECT)$/.test(e.target.tagName)) { e.preventDefault(); $("q").focus(); }
  });
  window.addEventListener("hashchange", restore);
  if (matchMedia("(max-width: 48rem)").matches) perLine = 8;
  if (blocks.length) restore();
})();
