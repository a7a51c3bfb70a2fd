/* A row of a list dragged to another place by its handle. Rows are the list's elements with a data-name. */

const EDGE = 48; // pixels from the edge of the list in which it scrolls while something is dragged

/* From the press on a handle until it is let go: `drop` gets the row before which this one goes, null for the end. Nothing
   happens where that is its own place, nor after Escape. */
export function drag(event, handle, row, drop) {
  if (event.button !== 0) return;
  const marker = Object.assign(document.createElement("li"), { className: "marker" });
  const watch = new AbortController();
  const options = { signal: watch.signal };
  // The row stays where it is until it is dropped: moved, it would lose the pointer.
  handle.setPointerCapture(event.pointerId);
  row.classList.add("dragged");
  const end = (dropped) => {
    watch.abort();
    const next = marker.isConnected ? following(marker) : row;
    marker.remove();
    row.classList.remove("dragged");
    if (dropped && next !== row && next !== following(row)) drop(next);
  };
  handle.addEventListener("pointermove", ({ clientY }) => mark(row, marker, clientY), options);
  handle.addEventListener("pointerup", () => end(true), options);
  handle.addEventListener("pointercancel", () => end(false), options);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), options);
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
  // Where there are sections, nothing stands above the first one's heading.
  if (next === rows[0] && next.classList.contains("section")) next.after(marker);
  else list.insertBefore(marker, next ?? null);
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy(0, -EDGE / 4);
  if (y > bottom - EDGE) list.scrollBy(0, EDGE / 4);
}
