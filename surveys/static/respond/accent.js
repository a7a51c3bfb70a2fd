// The page's accent in the colours of the definition, the same for all respondents: on screens, light and dark. In print
// the accent stays the site's own; forced colours of a respondent come first.
//
// The page's policy allows no style but the pinned file, so the rules are added to that. shape.js has checked that the
// values are colours and nothing else.

export function begin({ accent: { light, dark } }) {
  const { sheet } = document.querySelector("link[integrity]");
  const rules = { "screen": light, "screen and (prefers-color-scheme: dark)": dark };
  for (const [media, colour] of Object.entries(rules)) {
    sheet.insertRule(`@media ${media} { :root { --accent: ${colour}; } }`, sheet.cssRules.length);
  }
}
