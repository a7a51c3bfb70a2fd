// A definition's bytes as data, and only where they are the canonical JSON of that data: sorted fields, no spaces, one
// notation for every number and text. So nothing can stand there twice or in two ways (a doubled field, of which a
// parser takes the last, 1e3, -0), and what this page reads is what everybody reads who has the digest.

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// An error where the bytes are not canonical JSON.
export function parse(bytes) {
  const text = UTF8.decode(bytes);
  const data = JSON.parse(text);
  if (canonical(data) !== text) throw new RangeError("The definition is not canonical.");
  return data;
}

// The canonical text of parsed JSON. Names of fields are in ASCII (shape.js), for which all orders are the same.
export function canonical(data) {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  const fields = Object.keys(data).sort().map((name) => `${JSON.stringify(name)}:${canonical(data[name])}`);
  return `{${fields.join(",")}}`;
}
