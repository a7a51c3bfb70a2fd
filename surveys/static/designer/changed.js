/* Return whether a field differs from what the site wrote into it. */
export function changed({ type, value, defaultValue, checked, defaultChecked, options, selectedIndex, files }) {
  if (type === "checkbox" || type === "radio") return checked !== defaultChecked;
  if (options) return selectedIndex !== Math.max(0, [...options].findIndex((each) => each.defaultSelected));
  if (files) return files.length > 0;
  return defaultValue !== undefined && value !== defaultValue;
}
