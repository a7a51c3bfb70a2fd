/* Until the builder's script has come, nothing that is pressed leaves the page: what was typed meanwhile would be lost.
   It runs before anything is shown. Where the builder's script cannot come, the page works without it. */
{
  let pressed = null;
  const hold = (event) => {
    const target = event.target.closest("a[href]:not([target]), button");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pressed = target;
  };
  const release = () => {
    removeEventListener("click", hold, true);
    pressed?.click();
    pressed = null;
  };
  addEventListener("click", hold, true);
  addEventListener("scripted", release);
  addEventListener("error", ({ target }) => target.tagName === "SCRIPT" && release(), true);
}
