// Paper is light and needs every picture. Before printing, pictures change to the light theme, and unloaded ones load.
// Printing by the browser's menu leaves no time for that; then a dark picture's colours are inverted.

const PATIENCE = 5000; // ms
const pictures = [...document.querySelectorAll("main picture")];
const sources = pictures.flatMap((picture) => [...picture.querySelectorAll("source")].map((node) => [node, node.media]));
const images = pictures.map((picture) => picture.querySelector("img"));
const isDark = ({ currentSrc }) => /[-/]dark[-.]/.test(currentSrc);

/** Show the source with this URL, whatever else applies; without a URL, the light source. */
function keep(image, address = null) {
  for (const [source] of sources) {
    if (source.parentElement === image.parentElement) source.media = isOf(source, address) ? "all" : "not all";
  }
}

function isOf({ srcset }, address) {
  return new URL(srcset, document.baseURI).href === address;
}

function eager() {
  for (const image of images) image.loading = "eager";
}

function arrived(image) {
  return new Promise((resolve) => {
    if (image.complete && image.naturalWidth && !isDark(image)) resolve();
    for (const event of ["load", "error"]) image.addEventListener(event, resolve, { once: true });
    setTimeout(resolve, PATIENCE);
  });
}

addEventListener("keydown", async (event) => {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  if (ctrlKey === metaKey || altKey || shiftKey || key.toLowerCase() !== "p" || images.length === 0) return;
  event.preventDefault();
  for (const image of images) keep(image);
  eager();
  await null; // the browser chooses the picture only then
  await Promise.all(images.map(arrived));
  await Promise.allSettled(images.map((image) => image.decode()));
  print();
});
addEventListener("beforeprint", () => {
  for (const image of images) {
    const turned = image.naturalWidth > 0 && isDark(image);
    keep(image, turned ? image.currentSrc : null);
    image.classList.toggle("turned", turned);
  }
  eager();
});
addEventListener("afterprint", () => {
  for (const [source, media] of sources) source.media = media;
});
