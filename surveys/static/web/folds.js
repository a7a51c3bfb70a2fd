// Folded parts of a page. A URL of a place within one opens it, and opened parts stay open after a reload or return.
// Without this file readers open them by hand.

const folds = [...document.querySelectorAll("main details[id]")];
const closed = new Set();

function reveal() {
  // `:target` may still match nothing while the page loads.
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const around = [];
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) around.push(fold);
  // Open the folded part of the target's section.
  const within = target.closest("section")?.querySelector(":scope > details.fold");
  for (const fold of within ? [...around, within] : around) fold.open = true;
  target.scrollIntoView();
}

function remember() {
  const open = folds.filter((fold) => fold.open).map((fold) => fold.id);
  history.replaceState({ ...history.state, open }, "");
}

const before = history.state?.open;
if (before) for (const fold of folds) fold.open = before.includes(fold.id);
else reveal();
addEventListener("hashchange", () => {
  reveal();
  remember();
});
for (const fold of folds) fold.addEventListener("toggle", remember);

// Open parts for printing that the browser's print style may leave closed.
addEventListener("beforeprint", () => {
  const printed = ".fold:not(#settings), .numbers-of, .reading, .split, #release";
  for (const fold of folds.filter((each) => !each.open && each.matches(printed))) {
    closed.add(fold);
    fold.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const fold of closed) fold.open = false;
  closed.clear();
});
