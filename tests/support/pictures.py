"""Pictures on a page, as a browser has loaded them."""

# For `evaluate`: returns once the picture is there, and fails where it cannot be shown.
LOADED = """image => image.naturalWidth > 0 || new Promise((resolve, reject) => {
  image.addEventListener("load", resolve);
  image.addEventListener("error", () => reject(new Error(`${image.currentSrc} cannot be shown`)));
})"""
