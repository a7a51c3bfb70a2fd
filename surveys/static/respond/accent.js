// The survey's accent colours for screens, light and dark, the same for all respondents. Print keeps the site's colour,
// and a respondent's forced colours take precedence.
//
// The page's policy allows no style but the pinned file, so the rules are added to that. shape.js has checked that the
// values are colours only.

export function begin({ accent: { light, dark } }) {
  const { sheet } = document.querySelector("link[integrity]");
  const rules = { "screen": light, "screen and (prefers-color-scheme: dark)": dark };
  for (const [media, colour] of Object.entries(rules)) {
    sheet.insertRule(`@media ${media} { :root { --accent: ${colour}; } }`, sheet.cssRules.length);
  }
}
