/* Show beside its field that a file is too large, before anything is sent. So the rest of the form stays. */

const { content, dataset } = document.getElementById("too-large");
const largest = Number(dataset.largest);

for (const input of document.querySelectorAll("input[type=file]")) {
  const error = document.createElement("p");
  error.className = "error";
  error.id = `${input.id}-too-large`;
  error.setAttribute("role", "alert");
  input.after(error);
  const check = () => {
    const large = [...input.files].some((file) => file.size > largest);
    error.textContent = large ? content.textContent.trim() : "";
    error.hidden = !large;
    input.setCustomValidity(error.textContent);
    input.toggleAttribute("aria-invalid", large);
    const described = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== error.id);
    input.setAttribute("aria-describedby", [...described, ...(large ? [error.id] : [])].join(" "));
  };
  input.addEventListener("change", check);
  check();
}
