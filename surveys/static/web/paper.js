// Paper is light, and has every picture: before printing, pictures are exchanged for those of the light theme, and those
// that were not looked at yet are loaded. Who prints by the browser's menu leaves no time for that; then a dark picture has
// its colours turned.

const PATIENCE = 5000; // ms
const pictures = [...document.querySelectorAll("main picture")];
const sources = pictures.flatMap((picture) => [...picture.querySelectorAll("source")].map((node) => [node, node.media]));
const images = pictures.map((picture) => picture.querySelector("img"));
const isDark = ({ currentSrc }) => /[-/]dark[-.]/.test(currentSrc);

/** Has the picture show the source with this address, whatever is asked of it; without one, its light form. */
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
  await null; // which picture is shown is chosen anew only then
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
