// A box for each column above the first table of found.md: a row of any table stays if each of its cells has the text of its
// column's box. Tables without such columns stay as they are.
"use strict";
(function () {
  const heads = (t) => [...t.tHead.rows[0].cells].map((c) => c.textContent.trim());
  const all = [...document.querySelectorAll(".table table")], names = all.length ? heads(all[0]) : [];
  const tables = all.filter((t) => heads(t).join() === names.join());
  const form = document.createElement("form"), said = document.createElement("p");
  form.id = "filter";
  said.setAttribute("role", "status");
  const boxes = names.map((name) => {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "search";
    label.append(name + " ", box);
    form.append(label);
    return box;
  });
  form.append(said);

  function show() {
    const texts = boxes.map((b) => b.value.trim().toLowerCase());
    let shown = 0, rows = 0;
    for (const t of tables) {
      let left = 0;
      for (const r of t.tBodies[0].rows) {
        r.hidden = !texts.every((x, i) => r.cells[i].textContent.toLowerCase().includes(x));
        left += r.hidden ? 0 : 1;
      }
      t.parentElement.hidden = left === 0;
      shown += left;
      rows += t.tBodies[0].rows.length;
    }
    said.textContent = texts.some(Boolean) ? shown + " of " + rows + " rows" : "";
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", (e) => e.preventDefault());
  if (tables.length) tables[0].closest(".table").before(form);
})();
