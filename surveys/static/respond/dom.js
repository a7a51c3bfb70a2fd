// Elements of the page. Text becomes text nodes only, so no title, option or server message can become markup.

const DRAWN = ["svg", "path"];
let [marked, spoken] = [new Set(), {}];
// Changes an element with a longer text of the survey; set by markup.js if needed.
export let shaped = (node) => node;

export function shapeTexts(by) {
  shaped = by;
}

/** From now on elements with one of these texts get these attributes. */
export function mark(texts, attributes) {
  [marked, spoken] = [new Set(texts.filter(Boolean)), attributes];
}

/** Return an element with attributes (null or false omits one, true sets it empty) and children, nodes or text. */
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

/** Return a button that never submits: the page has no form. */
export function button(label, attributes, onPress) {
  const node = element("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", onPress);
  return node;
}

/** Return a table with this name, which scrolls if it is too wide; rows are [heading, cells]. */
export function table(name, columns, rows, caption = null) {
  const heads = columns.map((each) => element("th", { scope: "col" }, each));
  const named = { "aria-label": name };
  return element("div", { class: "scroll", role: "region", tabindex: "0", ...named }, element("table", named, caption,
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map(([head, cells]) => element("tr", {}, element("th", { scope: "row" }, head), ...cells)))));
}

/** Return a section named by its heading, which gets the focus when views change. */
export function panel(id, title, ...children) {
  const heading = element("h2", { id, tabindex: "-1" }, title);
  const node = element("section", { class: "panel", "aria-labelledby": id }, heading, ...children);
  return { node, heading };
}
