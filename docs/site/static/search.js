// The search box. It needs no server: the pages' words are in search-index.js, which is loaded
// when somebody types.
"use strict";
(function () {
  const form = document.getElementById("search"), input = form.elements.q;
  const panel = document.getElementById("results"), list = panel.querySelector("ol"), said = panel.querySelector("p");
  const root = new URL(".", document.currentScript.src), most = 20;
  let pages = null, asked = false;
  form.hidden = false;

  // The index calls this function.
  window.searchPages = (all) => {
    pages = all.map((p) => ({...p, low: p.words.toLowerCase(), name: p.title.toLowerCase()}));
    show();
  };

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = new URL("search-index.js", root);
    script.addEventListener("error", () => { asked = false; said.textContent = "The index cannot be loaded."; });
    document.head.append(script);
  }

  // Starts reports whether a word of a text begins with a term.
  function starts(text, term) {
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1])) return true;
    }
    return false;
  }

  // Rank returns how well a page fits, 0 if a term is not in it, and the heading that fits best.
  function rank(page, terms) {
    let sum = 0;
    for (const t of terms) {
      const heading = page.headings.some((h) => starts(h.title.toLowerCase(), t));
      const n = page.low.split(t, 6).length - 1;
      const score = (page.name.startsWith(t) ? 100 : starts(page.name, t) ? 50 : 0) + (heading ? 15 : 0) + (starts(page.low, t) ? 3 : 0) + n;
      if (score === 0) return {score: 0};
      sum += score;
    }
    return {score: sum, heading: page.headings.find((h) => terms.every((t) => starts(h.title.toLowerCase(), t)))};
  }

  // Excerpt returns the words around the first term, with the terms marked.
  function excerpt(page, terms) {
    const out = document.createElement("span");
    const hit = Math.min(...terms.map((t) => page.low.indexOf(t)).filter((at) => at >= 0), page.low.length);
    const first = hit > 60 ? page.low.indexOf(" ", hit - 60) + 1 : 0; // at a word
    let at = first, end = Math.min(page.words.length, first + 180);
    if (first > 0) out.append("… ");
    while (at < end) {
      const hits = terms.map((t) => ({t, at: page.low.indexOf(t, at)})).filter((h) => h.at >= 0 && h.at + h.t.length <= end).sort((a, b) => a.at - b.at);
      if (!hits.length) break;
      const mark = document.createElement("mark");
      mark.textContent = page.words.slice(hits[0].at, hits[0].at + hits[0].t.length);
      out.append(page.words.slice(at, hits[0].at), mark);
      at = hits[0].at + hits[0].t.length;
    }
    out.append(page.words.slice(at, end));
    if (end < page.words.length) out.append(" …");
    return out;
  }

  function show() {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    panel.hidden = terms.length === 0;
    list.replaceChildren();
    if (panel.hidden) return;
    if (!pages) {
      said.textContent = "Loading";
      return;
    }
    const found = pages.map((page) => ({page, ...rank(page, terms)})).filter((x) => x.score > 0)
      .sort((a, b) => b.score - a.score || (a.page.title < b.page.title ? -1 : 1));
    said.textContent = found.length === 0 ? "No page has this." : found.length === 1 ? "1 page" : found.length + " pages" + (found.length > most ? ", the best " + most : "");
    for (const x of found.slice(0, most)) {
      const item = document.createElement("li"), a = document.createElement("a");
      a.href = new URL(x.page.url + (x.heading ? "#" + x.heading.id : ""), root);
      a.textContent = x.page.title + (x.heading ? " › " + x.heading.title : "");
      item.append(a, excerpt(x.page, terms));
      list.append(item);
    }
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", () => { load(); show(); });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const first = list.querySelector("a");
    if (first) location.href = first.href;
  });
  document.addEventListener("click", (e) => { if (!form.contains(e.target)) panel.hidden = true; });
  document.addEventListener("keydown", (e) => {
    const links = [input, ...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (e.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      input.focus();
    } else if (e.key === "Escape" && form.contains(document.activeElement)) {
      panel.hidden = true;
      input.focus();
    } else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && at >= 0 && !panel.hidden) {
      e.preventDefault();
      links[Math.max(0, Math.min(links.length - 1, at + (e.key === "ArrowDown" ? 1 : -1)))].focus();
    }
  });
})();
