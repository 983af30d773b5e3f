(() => {
"use strict";
const page = document.documentElement;
page.classList.replace("no-js", "js");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const live = document.getElementById("live");
const say = (text) => { live.textContent = text; };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const wide = matchMedia("(min-width: 1100px)");
const findings = all("details.finding");
const shown = () => findings.filter((one) => !one.parentElement.hidden);
let current = -1;

const into = (element, block) =>
  element.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });

// The states of a finding: one at a time, its line marked in the source.
const walks = new WeakMap();
const walk = (section) => {
  const steps = all(".steps > li", section);
  const slider = section.querySelector(".at");
  const where = section.querySelector(".where");
  const [back, on] = [section.querySelector(".prev"), section.querySelector(".next")];
  let marked = null;
  const show = (number, told) => {
    const place = Math.min(Math.max(number, 1), steps.length);
    steps.forEach((step, index) => { step.hidden = index !== place - 1; });
    const step = steps[place - 1];
    slider.value = place;
    back.disabled = place === 1;
    on.disabled = place === steps.length;
    where.textContent = `${place} of ${steps.length}`;
    const spot = step.querySelector(".spot").textContent;
    const event = step.querySelector(".event").textContent;
    slider.setAttribute("aria-valuetext", `state ${place} of ${steps.length}, ${spot}, ${event}`);
    if (marked) { marked.classList.remove("now"); marked.removeAttribute("aria-current"); }
    marked = step.dataset.line ? document.getElementById(step.dataset.line) : null;
    if (marked) {
      marked.classList.add("now");
      marked.setAttribute("aria-current", "step");
      reveal(marked);
      if (told && wide.matches) into(marked, "nearest");
    }
    if (told) {
      const changed = all("tr.ch", step)
        .map((row) => `${row.cells[0].textContent} = ${row.cells[1].textContent}`).join(", ");
      say(`State ${place} of ${steps.length}: ${spot}, ${event}${changed && `; ${changed}`}`);
    }
  };
  const by = (change) => show(Number(slider.value) + change, true);
  back.addEventListener("click", () => by(-1));
  on.addEventListener("click", () => by(1));
  slider.addEventListener("input", () => show(Number(slider.value), true));
  // It begins where the exception was raised, if there was one.
  const raised = steps.findLastIndex((step) => step.querySelector(".event.exception"));
  show(raised < 0 ? steps.length : raised + 1, false);
  return by;
};
const begin = (finding) => {
  const section = finding.querySelector(".walk");
  if (section && !walks.has(finding)) walks.set(finding, walk(section));
  return walks.get(finding);
};

// What lies in closed parts is opened before it is gone to.
const reveal = (element) => {
  for (let one = element; one; one = one.parentElement) {
    if (one.tagName === "DETAILS") one.open = true;
  }
};
const follow = () => {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target && target.closest("details")) { reveal(target); target.scrollIntoView(); }
};
addEventListener("hashchange", follow);

const go = (change) => {
  const list = shown();
  if (!list.length) return;
  const focused = list.findIndex((one) => one.contains(document.activeElement));
  const from = focused >= 0 ? focused : list.indexOf(findings[current]);
  const place = Math.min(Math.max(from + change, 0), list.length - 1);
  current = findings.indexOf(list[place]);
  const summary = list[place].querySelector("summary");
  summary.focus({ preventScroll: true });
  into(summary, "nearest");
};
const chosen = () => {
  const focused = document.activeElement.closest("details.finding");
  return focused || findings[current] || shown()[0];
};

const copy = async (finding) => {
  const button = finding && finding.querySelector(".copy");
  if (!button) return;
  const text = button.parentElement.querySelector("code").textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(button.parentElement.querySelector("code"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    done = document.execCommand("copy");
  }
  button.textContent = done ? "Copied" : "Selected";
  say(done ? "The call was copied" : "The call is selected: copy it with the keyboard");
  setTimeout(() => { button.textContent = "Copy"; }, 1600);
};

findings.forEach((finding) => {
  finding.addEventListener("toggle", () => { if (finding.open) begin(finding); });
  finding.addEventListener("focusin", () => { current = findings.indexOf(finding); });
  const button = finding.querySelector(".copy");
  if (button) button.addEventListener("click", () => copy(finding));
  if (finding.open) begin(finding);
});

const filter = document.getElementById("filter");
filter.addEventListener("input", () => {
  const wanted = filter.value.trim().toLowerCase();
  findings.forEach((one) => {
    const text = one.querySelector("summary").textContent.toLowerCase();
    one.parentElement.hidden = !text.includes(wanted);
  });
  const count = shown().length;
  document.getElementById("no-match").hidden = count > 0 || !findings.length;
  say(`${count} of ${findings.length} findings`);
});

const expand = document.getElementById("expand");
expand.addEventListener("click", () => {
  const open = shown().some((one) => !one.open);
  shown().forEach((one) => { one.open = open; });
  expand.textContent = open ? "Close all" : "Open all";
});
if (findings.length < 2) {
  expand.hidden = true;
  filter.hidden = true;
}

const help = document.getElementById("help");
document.getElementById("keys").addEventListener("click", () => help.showModal());

const arrows = { ArrowDown: 1, ArrowUp: -1 };
const keys = {
  j: () => go(1),
  k: () => go(-1),
  n: () => state(1),
  p: () => state(-1),
  c: () => copy(chosen()),
  "/": () => { if (!filter.hidden) filter.focus(); },
  "?": () => help.showModal(),
};
const state = (change) => {
  const finding = chosen();
  if (!finding) return;
  finding.open = true;
  const by = begin(finding);
  if (by) by(change);
};
addEventListener("keydown", (event) => {
  const at = document.activeElement;
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (at === filter) {
    if (event.key === "Escape") { filter.blur(); }
    return;
  }
  if (event.key === "Enter" && at.matches("details.finding > summary")) {
    // The browser opens it; what was opened is then brought into view.
    setTimeout(() => { if (at.parentElement.open) into(at, "start"); });
  } else if (event.key in arrows && at.matches("details.finding > summary")) {
    event.preventDefault();
    go(arrows[event.key]);
  } else if (Object.hasOwn(keys, event.key)) {
    event.preventDefault();
    keys[event.key]();
  }
});

// On paper everything is open, within reason.
let closed = [];
addEventListener("beforeprint", () => {
  closed = findings.length > 25 ? [] : all("details:not([open])");
  closed.forEach((one) => { one.open = true; });
});
addEventListener("afterprint", () => { closed.forEach((one) => { one.open = false; }); });
follow();
})();
