/* Until the builder's script has come, nothing that is pressed leaves the page: what was typed meanwhile would be lost.
   It runs before anything is shown. Where the builder's script cannot come or fails, and in a browser that does not know
   modules and never asks for it, the page works without it. */
if ("noModule" in HTMLScriptElement.prototype) {
  let pressed = null;
  const hold = (event) => {
    const target = event.target.closest("a[href]:not([target]), button");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pressed = target;
  };
  const release = () => {
    removeEventListener("click", hold, true);
    removeEventListener("error", fail, true);
    pressed?.click();
    pressed = null;
  };
  // The target is the script that could not be loaded, or the window where one failed while it ran.
  const fail = ({ target }) => {
    if (target !== window && target.tagName !== "SCRIPT") return;
    document.documentElement.classList.remove("scripted");
    release();
  };
  addEventListener("click", hold, true);
  addEventListener("scripted", release, { once: true });
  addEventListener("error", fail, true);
}
