/* Pictures are sent when they are chosen, and their descriptions when they are typed. A file that is too large for
   the site is shrunk here, which removes everything that is not visible. */

import { sendFiles } from "./requests.js";

const LARGE = 2 << 20; // bytes; the site takes one more (surveys/drafts/pictures.py)
const SIDE = 1280; // twice the shown size

export function showPictures(form, saver) {
  const save = async (submitter) => {
    const data = new FormData(form, submitter); // now, because the pressed button may be replaced before its turn
    await saver.settle();
    await saver.sendOther(async () => sendFiles(form.action, await smaller(data)));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(event.submitter);
  });
  document.addEventListener("change", ({ target }) => target.form === form && save());
}

async function smaller(data) {
  for (const [name, file] of [...data]) {
    if (!(file instanceof File)) continue;
    if (file.size === 0) data.delete(name);
    if (file.size > LARGE) data.set(name, await drawn(file).catch(() => file), "picture");
  }
  return data;
}

/* Return the file's picture as a JPEG on white. */
async function drawn(file) {
  const picture = await createImageBitmap(file);
  const share = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * share)));
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), "image/jpeg", 0.9));
}
