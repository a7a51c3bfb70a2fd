// Copies the link or a text. Without this file everything can be selected and copied by hand: the buttons stay hidden.

const said = document.getElementById("said");

function textOf(node) {
  return "value" in node ? node.value : node.textContent;
}

async function copy(button) {
  const node = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(textOf(node));
    said.textContent = said.dataset.copied;
    button.dataset.done = said.dataset.copied;
  } catch {
    // The browser does not allow it: what is selected can be copied by its own means.
    if ("value" in node) node.select();
    else window.getSelection().selectAllChildren(node);
  }
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
