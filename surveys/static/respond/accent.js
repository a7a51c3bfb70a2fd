// The page's accent in the colours that the definition names, the same for everybody: on screens, light and dark. Printed
// it stays the site's own, and where somebody has forced their colours those rule.
//
// The page's policy allows no style but the file that it pins, so the rules are added to that. shape.js has seen that the
// values are colours and nothing else.

export function begin({ accent: { light, dark } }) {
  const { sheet } = document.querySelector("link[integrity]");
  const rules = { "screen": light, "screen and (prefers-color-scheme: dark)": dark };
  for (const [media, colour] of Object.entries(rules)) {
    sheet.insertRule(`@media ${media} { :root { --accent: ${colour}; } }`, sheet.cssRules.length);
  }
}
