// Buttons with data-copy put the value of the field with that id on the clipboard. Without it they stay hidden.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  });
  field.addEventListener("focus", () => field.select());
}
