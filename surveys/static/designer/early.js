/* Until the builder's script has loaded, no click leaves the page, or text typed meanwhile would be lost. This
   script runs before anything is shown. If the builder's script cannot load or fails, or if the browser does not
   know modules, the page works without it. */
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
  // The target is the script that failed to load, or the window if one failed while running.
  const fail = ({ target }) => {
    if (target !== window && target.tagName !== "SCRIPT") return;
    document.documentElement.classList.remove("scripted");
    release();
  };
  addEventListener("click", hold, true);
  addEventListener("scripted", release, { once: true });
  addEventListener("error", fail, true);
}
