
"use strict";
(function () {
  var form = document.getElementById("filter");
  if (!form) return;
  var all = function (selector, root) { return Array.from((root || document).querySelectorAll(selector)); };
  var findings = all(".finding"), groups = all(".group"), items = all("details[id]");
  var nothing = document.getElementById("nothing"), fields = form.elements, at = "";
  var mostOpen = 20, opened = [];
  var counts = new Map(groups.map(function (g) { return [g, g.querySelector(".count").textContent]; }));
  // The filters are of no use without this script, so it is what shows them.
  document.documentElement.classList.add("live");
  items.forEach(function (d) { d.first = d.open; });

  // What the text filter searches: the finding, its file and its rule.
  function words(f) {
    if (f.words === undefined) {
      f.words = [f.closest(".file").querySelector(".path"), f.closest(".group").querySelector("h3"), f]
        .map(function (e) { return e.textContent; }).join(" ").toLowerCase();
    }
    return f.words;
  }

  function apply() {
    var levels = {}, rule = fields.rule.value, file = fields.file ? fields.file.value : "", shown = 0;
    all("[name=level]", form).forEach(function (box) { levels[box.value] = box.checked; });
    var wanted = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    findings.forEach(function (f) {
      var show = levels[f.dataset.level] && (!rule || f.dataset.rule === rule) &&
        (!file || f.closest(".file").dataset.file === file) && wanted.every(function (w) { return words(f).includes(w); });
      f.hidden = !show;
      if (show) shown++;
    });
    // A heading is shown with the findings below it.
    [".function", ".rest", ".file", ".group", ".gravity"].forEach(function (c) {
      all(".gravity " + c + ", .gravity" + c).forEach(function (e) { e.hidden = !e.querySelector(".finding:not([hidden])"); });
    });
    groups.forEach(function (g) {
      var n = all(".finding", g).length, k = all(".finding:not([hidden])", g).length;
      g.querySelector(".count").textContent = (k < n ? k + " of " : "") + counts.get(g);
    });
    fields.shown.value = shown === findings.length ? "" : shown + " of " + findings.length;
    fields.everything.hidden = shown === findings.length;
    nothing.hidden = shown > 0 || findings.length === 0;
    unfold(shown < findings.length && shown <= mostOpen);
  }

  // Unfold opens what has the findings that are left if they are few, and closes what the
  // filter no longer has a reason to open.
  function unfold(few) {
    opened.forEach(function (d) { d.open = false; });
    opened = [];
    if (!few) return;
    findings.forEach(function (f) {
      for (var d = f.parentElement; d && !f.hidden; d = d.parentElement) {
        if (d.tagName === "DETAILS" && !d.open) {
          d.open = true;
          opened.push(d);
        }
      }
    });
  }

  // The fragment of the address has what differs from the page's first state: filters,
  // what was opened or closed ("x"), and the finding that a link leads to ("at").
  function save() {
    var s = new URLSearchParams(), off = all("[name=level]:not(:checked)", form).map(function (b) { return b.value; });
    if (off.length) s.set("without", off.join(","));
    ["rule", "file", "text"].forEach(function (k) { if (fields[k] && fields[k].value) s.set(k, fields[k].value); });
    var x = items.filter(function (d) { return d.open !== d.first && !opened.includes(d); }).map(function (d) { return d.id; });
    if (x.length && x.length <= 200) s.set("x", x.join(","));
    if (at) s.set("at", at);
    var hash = "#" + s.toString().replace(/%2C/g, ",");
    if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  }

  function restore() {
    var hash = location.hash.slice(1), plain = /^[\w-]+$/.test(hash);
    var s = new URLSearchParams(plain ? "at=" + hash : hash);
    var off = (s.get("without") || "").split(","), x = (s.get("x") || "").split(",");
    all("[name=level]", form).forEach(function (b) { b.checked = !off.includes(b.value); });
    ["rule", "file", "text"].forEach(function (k) { if (fields[k]) fields[k].value = s.get(k) || ""; });
    items.forEach(function (d) { d.open = d.first !== x.includes(d.id); });
    apply();
    go(s.get("at") || "");
  }

  // Go shows an element and marks it.
  function go(id) {
    all(".finding.here").forEach(function (f) { f.classList.remove("here"); });
    var e = id && document.getElementById(id);
    at = e ? id : "";
    if (!e) return;
    if (e.closest("[hidden]")) {
      form.reset();
      apply();
    }
    for (var d = e; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
    if (e.classList.contains("finding")) e.classList.add("here");
    e.scrollIntoView({block: "start"});
  }

  form.addEventListener("input", function () { apply(); save(); });
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  fields.everything.addEventListener("click", function () { form.reset(); apply(); save(); fields.text.focus(); });
  document.addEventListener("toggle", save, true);
  document.addEventListener("click", function (e) {
    var a = e.target.closest("a[href^='#']");
    if (!a) return;
    e.preventDefault();
    go(a.getAttribute("href").slice(1));
    save();
  });
  window.addEventListener("hashchange", restore);
  restore();
})();
