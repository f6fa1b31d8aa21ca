
"use strict";
(function () {
  var form = document.getElementById("filter");
  if (!form) return;
  var findings = Array.from(document.querySelectorAll(".finding"));
  var files = Array.from(document.querySelectorAll(".file"));
  var nothing = document.getElementById("nothing");
  // The filters are of no use without this script, so it is what shows them.
  document.documentElement.classList.add("live");

  // What the text filter looks at: the finding, its file and its member.
  function words(f) {
    if (f.words === undefined) {
      var member = f;
      while (member && !member.classList.contains("member")) member = member.previousElementSibling;
      f.words = [f.closest(".file").querySelector(".path"), member, f]
        .map(function (e) { return e ? e.textContent : ""; }).join(" ").toLowerCase();
    }
    return f.words;
  }

  function apply() {
    var levels = {}, rule = form.elements.rule.value, shown = 0;
    form.querySelectorAll("[name=level]").forEach(function (box) { levels[box.value] = box.checked; });
    var wanted = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    findings.forEach(function (f) {
      var show = levels[f.dataset.level] && (!rule || f.dataset.rule === rule) &&
        wanted.every(function (w) { return words(f).includes(w); });
      f.hidden = !show;
      if (show) shown++;
    });
    files.forEach(function (file) {
      var any = false;
      // A member's heading is shown with the findings that follow it.
      for (var e = file.lastElementChild, below = false; e; e = e.previousElementSibling) {
        if (e.classList.contains("finding") && !e.hidden) any = below = true;
        if (e.classList.contains("member")) { e.hidden = !below; below = false; }
      }
      file.hidden = !any;
    });
    form.elements.shown.value = shown === findings.length ? "" : shown + " of " + findings.length;
    nothing.hidden = shown > 0 || findings.length === 0;
  }

  form.addEventListener("input", apply);
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  apply();
})();
