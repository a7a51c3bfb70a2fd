// Beside a field of numbers, show how its text is read, if that looks different; show both readings if there are two.

import { readings, unmistakable } from "../respond/typed.js";

const FIELDS = "input[inputmode=numeric], input[inputmode=decimal], textarea[data-numbers]";
const { lang } = document.documentElement;
// The decimal mark of the page's language.
const [, DECIMAL] = new Intl.NumberFormat(`${lang}-u-nu-latn`).format(0.5);
const beside = new WeakMap();

function shown(number) {
  return unmistakable(number).replace(".", DECIMAL);
}

/** Return the readings of a text, as the page writes them; empty for no number. */
function read(field, text) {
  const found = readings(text.replace(/^\s*[%٪﹪％]|[%٪﹪％]\s*$/, ""), lang);
  if (field.inputMode === "numeric") return found.slice(0, 1).filter((number) => !number.includes(".")).map(shown);
  const [thousands, decimals] = found;
  return decimals && Math.abs(thousands) > field.dataset.most && text.includes(DECIMAL) ? [shown(decimals)] : found.map(shown);
}

function say(field) {
  const lines = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const numbers = lines.map((line) => read(field, line).join(" / ") || line);
  const said = numbers.some((each, i) => each !== lines[i]) ? `= ${numbers.join(" · ")}` : "";
  if (!beside.get(field)?.isConnected) {
    if (!said) return;
    const output = document.createElement("output");
    output.className = "read-as";
    beside.set(field, output);
    field.after(output);
  }
  beside.get(field).textContent = said;
}

for (const event of ["input", "change"]) {
  document.addEventListener(event, ({ target }) => {
    if (target.matches(FIELDS)) say(target);
  });
}
for (const field of document.querySelectorAll(FIELDS)) say(field);
