/* Beside each moment in UTC the same moment where the reader is: of what is shown, and of what is being typed. */

const words = document.getElementById("local-time").content.textContent.trim();
const language = document.documentElement.lang;

/* Nothing where clocks show UTC anyway. The day is said where it is another one. */
function local(moment) {
  if (Number.isNaN(moment.getTime()) || moment.getTimezoneOffset() === 0) return "";
  const sameDay = moment.getDate() === moment.getUTCDate();
  const style = sameDay ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return words.replace("{time}", new Intl.DateTimeFormat(language, style).format(moment));
}

function place(after) {
  const element = document.createElement("span");
  element.className = "quiet here";
  after.append(element);
  return element;
}

for (const shown of document.querySelectorAll("[data-moment]")) {
  const text = local(new Date(shown.dataset.moment));
  if (text) place(shown).textContent = ` (${text})`;
}

for (const input of document.querySelectorAll("input[type=datetime-local]")) {
  const beside = place(input.parentElement);
  const say = () => (beside.textContent = input.value ? local(new Date(`${input.value}Z`)) : "");
  input.addEventListener("input", say);
  say();
}
