// Copy the link or a text. Without this file the buttons stay hidden, and users select and copy by hand.

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
    // The browser does not allow copying; the selected text can be copied by hand.
    if ("value" in node) node.select();
    else window.getSelection().selectAllChildren(node);
  }
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
