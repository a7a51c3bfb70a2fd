/* What is dragged, and a row of a list dragged to another place by its handle. Rows are the list's elements with a
   data-name. */

const EDGE = 48; // pixels from the edge of the list in which it scrolls while something is dragged

/* From the press on an element until its pointer is let go: `moved` gets the pointer's events, `end` whether it was let go,
   and not taken back by Escape. The row is marked meanwhile. */
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

/* From the press on a handle until it is let go: `drop` gets the row before which this one goes, null for the end. Nothing
   happens where that is its own place, nor after Escape. */
export function drag(event, handle, row, drop) {
  if (event.button !== 0) return;
  const marker = Object.assign(document.createElement("li"), { className: "marker" });
  // The row stays where it is until it is dropped: moved, it would lose the pointer.
  follow(handle, event.pointerId, row, ({ clientY }) => mark(row, marker, clientY), (dropped) => {
    const next = marker.isConnected ? following(marker) : row;
    marker.remove();
    if (dropped && next !== row && next !== following(row)) drop(next);
  });
}

/* The next row. */
function following(element) {
  let next = element.nextElementSibling;
  while (next && !next.dataset.name) next = next.nextElementSibling;
  return next;
}

/* Puts the marker where a row dropped at this height would go, and scrolls where the list goes on. */
function mark(row, marker, y) {
  const list = row.parentElement;
  const rows = [...list.children].filter((each) => each.dataset.name);
  const next = rows.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return y < top + height / 2;
  });
  // Where there are sections, nothing is above the first one's heading.
  if (next === rows[0] && next.classList.contains("section")) next.after(marker);
  else list.insertBefore(marker, next ?? null);
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy(0, -EDGE / 4);
  if (y > bottom - EDGE) list.scrollBy(0, EDGE / 4);
}
