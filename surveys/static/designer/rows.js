/* A list of texts as rows. A handle or its arrow keys move a row, and several texts can be pasted at once. The area
   with one text per line is what is sent; users can show it instead. A table keeps its columns, which the site
   stores as translations. */

import { drag } from "./dragging.js";

const ROWS_MAX = 60; // a longer list is easier to read as lines
const ROWS_MIN = 2; // of an empty list

/* Show rows, also for areas that the site sends later. */
export function showRows(form) {
  const show = () => {
    for (const area of form.querySelectorAll("textarea[data-row]:not([data-listed])")) new Rows(area).begin();
  };
  show();
  new MutationObserver(show).observe(form, { childList: true });
}

/* Trim spaces. Leading tabs stay, because they are empty columns of a table. */
function tidy(line) {
  return line.trim() && line.replace(/^[^\S\t]+|\s+$/g, "");
}

class Rows {
  constructor(area) {
    this.area = area;
    this.words = area.dataset;
    this.label = area.form.querySelector(`label[for="${area.id}"]`);
    this.list = Object.assign(document.createElement("ol"), { className: "rows" });
    this.add = this.button("button quiet", this.words.add, () => this.insert("", null));
    this.turn = this.button("turn", "", () => this.show(this.list.hidden));
    this.tools = Object.assign(document.createElement("p"), { className: "row-tools" });
    this.tools.append(this.add, this.turn);
  }

  begin() {
    this.area.after(this.list, this.tools);
    this.area.dataset.listed = "";
    this.show(this.lines.length <= ROWS_MAX);
    this.listen();
    document.addEventListener("stored", () => this.mark());
  }

  get lines() {
    return this.area.value.split("\n").map(tidy).filter(Boolean);
  }

  get inputs() {
    return [...this.list.querySelectorAll("input")];
  }

  button(className, text, press) {
    const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: text });
    made.addEventListener("click", press);
    return made;
  }

  /* Show rows, or lines of the area. */
  show(asRows) {
    if (asRows) {
      const lines = this.lines;
      while (lines.length < ROWS_MIN) lines.push("");
      this.list.replaceChildren(...lines.map((line) => this.row(line)));
      this.number();
    }
    this.mark();
    this.list.hidden = this.add.hidden = !asRows;
    this.area.hidden = asRows;
    this.turn.textContent = asRows ? this.words.asText : this.words.asRows;
    this.label.htmlFor = asRows ? this.inputs[0].id : this.area.id;
  }

  /* Mark rows with errors. Empty rows have none. */
  mark() {
    const errors = [...document.querySelectorAll(`#e-${this.area.name} [data-lines]`)];
    const wrong = errors.flatMap(({ dataset }) => dataset.lines.split(" ").map(Number));
    const filled = this.inputs.filter(({ value }) => tidy(value));
    for (const input of this.inputs) {
      if (wrong.includes(filled.indexOf(input) + 1)) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }

  row(text) {
    const made = document.createElement("li");
    const input = Object.assign(document.createElement("input"), { type: "text", value: text, dir: "auto" });
    input.dataset.quiet = "";
    input.setAttribute("aria-describedby", `e-${this.area.name}`);
    made.append(this.button("handle", "", () => {}), input, this.button("drop", "×", () => this.remove(made)));
    return made;
  }

  /* Name rows by their positions. */
  number() {
    for (const [place, row] of [...this.list.children].entries()) {
      const [handle, input, drop] = row.children;
      const named = (text) => text.replace("#", place + 1);
      row.dataset.name = place;
      input.id = `${this.area.id}-${place + 1}`;
      input.setAttribute("aria-label", named(this.words.row));
      handle.setAttribute("aria-label", named(this.words.move));
      drop.setAttribute("aria-label", named(this.words.remove));
    }
  }

  /* Copy the rows into the area. `event` is "change" after typing has ended. */
  store(event) {
    this.area.value = this.inputs.map(({ value }) => tidy(value)).filter(Boolean).join("\n");
    this.area.dispatchEvent(new Event(event, { bubbles: true }));
  }

  insert(text, before) {
    const made = this.row(text);
    this.list.insertBefore(made, before);
    this.number();
    this.label.htmlFor = this.inputs[0].id;
    made.querySelector("input").focus();
  }

  remove(row) {
    const place = this.inputs.indexOf(row.querySelector("input"));
    if (this.inputs.length === 1) row.querySelector("input").value = "";
    else row.remove();
    this.number();
    this.store("change");
    this.inputs[Math.max(0, place - 1)].focus();
  }

  /* Move a row before `next`, null for the end. */
  move(row, next) {
    this.list.insertBefore(row, next);
    this.number();
    this.store("change");
    const place = [...this.list.children].indexOf(row) + 1;
    document.getElementById("announcer").textContent = this.words.moved.replace("#", place);
    row.querySelector(".handle").focus();
  }

  // Clicks and pastes -----------------------------------------------------------------------------------------------

  listen() {
    this.list.addEventListener("input", (event) => {
      event.stopPropagation();
      this.store("input");
    });
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("paste", (event) => this.pasted(event));
    this.list.addEventListener("pointerdown", (event) => {
      const handle = event.target.closest(".handle");
      const row = handle?.closest("li");
      if (handle) drag(event, handle, row, (next) => this.move(row, next));
    });
  }

  pressed(event) {
    const row = event.target.closest("li");
    const { previousElementSibling: above, nextElementSibling: below } = row;
    const does = event.isComposing ? undefined : event.target.matches(".handle") ? {
      ArrowUp: above && (() => this.move(row, above)),
      ArrowDown: below && (() => this.move(row, below.nextElementSibling)),
    }[event.key] : event.target.matches("input") && {
      Enter: () => this.insert("", below),
      ArrowUp: above && (() => above.querySelector("input").focus()),
      ArrowDown: below && (() => below.querySelector("input").focus()),
      Backspace: event.target.value === "" && above && (() => this.remove(row)),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  pasted(event) {
    const lines = event.clipboardData.getData("text").split("\n").map(tidy).filter(Boolean);
    if (lines.length < 2 || !event.target.matches("input")) return;
    event.preventDefault();
    const input = event.target;
    const below = input.closest("li").nextElementSibling;
    input.setRangeText(lines[0], input.selectionStart, input.selectionEnd, "end");
    for (const line of lines.slice(1)) this.insert(line, below);
    this.store("change");
  }
}
