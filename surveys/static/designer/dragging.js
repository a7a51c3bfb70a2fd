/* Dragging: of any element, and of a list's row by its handle. Rows are the list's elements with a data-name. */

const EDGE = 48; // pixels from the list's edge where dragging scrolls the list

/* Follow a pointer from the press on an element until its release. `moved` gets the pointer's events; `end` gets
   false if Escape cancelled, else true. The row is marked meanwhile. */
export function follow(element, pointer, row, moved, end) {
  const watch = new AbortController();
  const options = { signal: watch.signal };
  const stop = (dropped) => {
    watch.abort();
    row.classList.remove("dragged");
    end(dropped);
  };
  element.setPointerCapture(pointer);
  row.classList.add("dragged");
  element.addEventListener("pointermove", moved, options);
  element.addEventListener("pointerup", () => stop(true), options);
  element.addEventListener("pointercancel", () => stop(false), options);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && stop(false), options);
}

/* Drag a row by its handle. `drop` gets the row before which this one goes, null for the end. Nothing happens at its
   own place or after Escape. */
export function drag(event, handle, row, drop) {
  if (event.button !== 0) return;
  const marker = Object.assign(document.createElement("li"), { className: "marker" });
  // The row moves only when dropped; moving it earlier would lose the pointer.
  follow(handle, event.pointerId, row, ({ clientY }) => mark(row, marker, clientY), (dropped) => {
    const next = marker.isConnected ? following(marker) : row;
    marker.remove();
    if (dropped && next !== row && next !== following(row)) drop(next);
  });
}

/* Return the next row. */
function following(element) {
  let next = element.nextElementSibling;
  while (next && !next.dataset.name) next = next.nextElementSibling;
  return next;
}

/* Put the marker where a row dropped at this height would go, and scroll near an edge of the list. */
function mark(row, marker, y) {
  const list = row.parentElement;
  const rows = [...list.children].filter((each) => each.dataset.name);
  const next = rows.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return y < top + height / 2;
  });
  // In a list with sections, nothing is above the first heading.
  if (next === rows[0] && next.classList.contains("section")) next.after(marker);
  else list.insertBefore(marker, next ?? null);
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy(0, -EDGE / 4);
  if (y > bottom - EDGE) list.scrollBy(0, EDGE / 4);
}
