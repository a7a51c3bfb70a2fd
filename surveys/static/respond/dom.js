// Building the page. Text enters as text nodes only, so no title, option or server message can become markup.

const DRAWN = ["svg", "path"];
let [marked, spoken] = [new Set(), {}];
// What becomes of an element with one of the survey's longer texts: markup.js, where the survey needs it, says what.
export let shaped = (node) => node;

export function shapeTexts(by) {
  shaped = by;
}

/** From now on an element with one of these texts has these attributes. */
export function mark(texts, attributes) {
  [marked, spoken] = [new Set(texts.filter(Boolean)), attributes];
}

/** An element with attributes (null or false leaves one out, true writes it empty) and children, nodes or text. */
export function element(tag, attributes = {}, ...children) {
  const kind = DRAWN.includes(tag) ? "2000/svg" : "1999/xhtml";
  const node = document.createElementNS(`http://www.w3.org/${kind}`, tag);
  const own = children.some((child) => marked.has(child)) ? spoken : {};
  for (const [name, value] of Object.entries({ ...own, ...attributes })) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A real button, never a submitting one: the page has no form to submit. */
export function button(label, attributes, onPress) {
  const node = element("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", onPress);
  return node;
}

/** A table with this name, which scrolls by itself where it is wider than the page; rows are [heading, cells]. */
export function table(name, columns, rows, caption = null) {
  const heads = columns.map((each) => element("th", { scope: "col" }, each));
  const named = { "aria-label": name };
  return element("div", { class: "scroll", role: "region", tabindex: "0", ...named }, element("table", named, caption,
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map(([head, cells]) => element("tr", {}, element("th", { scope: "row" }, head), ...cells)))));
}

/** A section named by its heading, which can take the focus when one view replaces another. */
export function panel(id, title, ...children) {
  const heading = element("h2", { id, tabindex: "-1" }, title);
  const node = element("section", { class: "panel", "aria-labelledby": id }, heading, ...children);
  return { node, heading };
}
