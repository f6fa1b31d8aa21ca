// The page that runs the program in the browser. Nothing leaves it: the program is fetched once, and the files are
// read in the page.
"use strict";
(function () {
  var main = document.getElementById("content"), files = [], module = null, running = null;
  function make(tag, words, attributes) {
    var e = document.createElement(tag);
    if (words) e.textContent = words;
    for (var k in attributes) e.setAttribute(k, attributes[k]);
    return e;
  }

  async function program() {
    var answer = await fetch("sframe-lint.wasm.gz");
    if (!answer.ok) throw new Error("the program is not there: " + answer.status);
    var packed = new Uint8Array(await answer.arrayBuffer()), bytes = packed;
    if (packed[0] === 0x1f) bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    return WebAssembly.compile(bytes);
  }

  // Runs the program with arguments on files, in a worker of its own.
  async function run(args, list) {
    module = module || program();
    var compiled;
    try { compiled = await module; } catch (x) { module = null; throw x; }
    return new Promise(function (done, failed) {
      if (running) running.terminate();
      var w = running = new Worker("try-worker.js");
      w.onmessage = function (e) { w.terminate(); running = null; done(e.data); };
      w.onerror = function (e) { w.terminate(); running = null; failed(new Error(e.message)); };
      w.postMessage({module: compiled, args: args, files: list});
    });
  }
  window.sframeLint = run;

  var box = make("section", null, {"class": "try", "aria-label": "Files"});
  var label = box.appendChild(make("label", "Drop files here, or choose them: ", {"class": "drop"}));
  var input = label.appendChild(make("input", null, {type: "file", multiple: ""}));
  var buttons = box.appendChild(make("p"));
  var says = box.appendChild(make("p", "No file yet. ", {role: "status"}));
  var shown = box.appendChild(make("div"));
  var last = "check";
  var actions = [
    ["check", "Check", ["--color=never", "--format", "full"]],
    ["code", "Code", ["dump", "--code", "--cfi"]],
    ["dump", "Dump", ["dump"]],
    ["view", "View", ["view"]]
  ];
  actions.forEach(function (a) {
    var b = buttons.appendChild(make("button", a[1], {type: "button", id: "try-" + a[0]}));
    b.disabled = true;
    b.onclick = function () { show(a); };
    buttons.append(" ");
  });

  // What a run found, in words. The exit status of a check is 1 for findings, and above for what could not be checked.
  function outcome(action, got, list) {
    var of = list.length === 1 ? list[0].name : list.length + " files";
    if (got.status > 1) return "Not everything of " + of + " could be read: see below.";
    if (action === "check" && /no SFrame data|, 0 sections/.test(got.out + got.err)) return of + (list.length === 1 ? " has" : " have") + " no SFrame data.";
    if (action !== "check") return got.status === 0 ? of + ":" : of + ": there is nothing to show.";
    var clean = /no findings: .*/.exec(got.err);
    return of + ": " + (clean ? "clean, " + clean[0] : got.status === 1 ? "there are findings." : "nothing that fails a check; see below.");
  }

  async function show(action) {
    last = action[0];
    says.textContent = "Running sframe-lint " + action[2].join(" ") + " ...";
    var list = action[0] === "check" ? files : files.slice(0, 1), began = performance.now(), got;
    try { got = await run(action[2].concat(list.map(function (f) { return f.name; })), list); } catch (x) {
      says.textContent = location.protocol === "file:" ? "From a disk, browsers do not load the program: use a web server." : String(x);
      return;
    }
    says.textContent = outcome(action[0], got, list) + (list.length < files.length ? " Only the first file is shown." : "") + " (" + Math.round(performance.now() - began) + " ms)";
    shown.replaceChildren();
    if (action[0] === "view" && got.out) {
      var url = URL.createObjectURL(new Blob([got.out], {type: "text/html"}));
      var a = shown.appendChild(make("p")).appendChild(make("a", "Open the page in a tab", {href: url, target: "_blank"}));
      a.download = "";
      a.removeAttribute("download");
      shown.append(make("iframe", null, {src: url, title: "The page of " + list[0].name}));
    } else if (got.out) shown.append(make("pre", got.out, {tabindex: "0"}));
    if (got.err) shown.append(make("pre", got.err, {tabindex: "0"}));
    document.documentElement.dataset.shown = action[0];
  }

  async function take(list) {
    files = await Promise.all(Array.from(list, async function (f) { return {name: f.name.replace(/^-+/, ""), data: new Uint8Array(await f.arrayBuffer())}; }));
    if (!files.length) return;
    buttons.querySelectorAll("button").forEach(function (b) { b.disabled = false; });
    show(actions.find(function (a) { return a[0] === last; }));
  }
  // Files of the corpus, which scripts/site copies.
  var examples = box.insertBefore(make("p", "Or try "), buttons);
  [["wrong-cfi.elf", "a program with wrong CFI"], ["right.elf", "a right one"], ["no-sframe.elf", "one without SFrame data"]].forEach(function (x, i) {
    var b = make("button", x[1], {type: "button", id: "try-" + x[0].split(".")[0]});
    b.onclick = async function () {
      var answer = await fetch("examples/" + x[0]);
      if (!answer.ok) { says.textContent = x[0] + " is not there: " + answer.status; return; }
      take([new File([await answer.arrayBuffer()], x[0])]);
    };
    examples.append(i ? ", " : "", b);
  });
  examples.append(".");
  input.onchange = function () { take(input.files); };
  document.addEventListener("dragover", function (e) { e.preventDefault(); box.classList.add("over"); });
  document.addEventListener("dragleave", function () { box.classList.remove("over"); });
  document.addEventListener("drop", function (e) {
    e.preventDefault();
    box.classList.remove("over");
    take(e.dataTransfer.files);
  });
  main.querySelector("h1").after(box);
})();
