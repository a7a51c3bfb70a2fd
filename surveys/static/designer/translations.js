/* A pasted table, whose first column has the originals, fills the fields beside them. A pasted column fills the
   fields from the pasted-into one on. An area takes several lines as its text. */

const form = document.querySelector(".translation");
const fields = [...form.querySelectorAll(".pair :is(input, textarea)")];
const unplaced = document.getElementById("unplaced");
const original = (field) => field.labels[0].innerText.trim();

/* Equal originals take their translations in order, then the last one. A missing translation changes nothing. */
function beside(rows) {
  for (const text of new Set(fields.map(original))) {
    const translations = rows.filter((row) => row[0] === text).map((row) => row[1]);
    for (const [place, field] of fields.filter((each) => original(each) === text).entries()) {
      field.value = (translations[place] ?? translations.at(-1)) || field.value;
    }
  }
  return rows.map(([text]) => text).filter((text) => !fields.some((field) => original(field) === text));
}

function fromHere(lines, first) {
  const place = fields.indexOf(first);
  for (const [below, line] of lines.entries()) if (fields[place + below]) fields[place + below].value = line;
  return lines.slice(fields.length - place);
}

form.addEventListener("paste", (event) => {
  const lines = event.clipboardData.getData("text").split("\n").filter((line) => line.trim());
  const isTable = lines.every((line) => line.includes("\t"));
  if (!isTable && (lines.length < 2 || !event.target.matches("input"))) return;
  event.preventDefault();
  const rows = lines.map((line) => line.split("\t").map((cell) => cell.trim()));
  const left = isTable ? beside(rows) : fromHere(rows.map(([text]) => text), event.target);
  unplaced.textContent = left.length ? `${unplaced.dataset.words} ${left.join(" · ")}` : "";
});
