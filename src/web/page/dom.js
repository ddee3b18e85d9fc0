// How the page makes and finds its elements.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(
  "svg g rect circle line path text defs radialGradient linearGradient stop polyline title".split(" "),
);

// Makes an element of HTML or SVG. Attributes named on… are event listeners; those that are null, undefined or false
// are left out, and so are such children. A string child becomes a text node, never markup.
export function make(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.has(tag) ? document.createElementNS(SVG_NAMESPACE, tag) : document.createElement(tag);
  const isGiven = (value) => value !== undefined && value !== null && value !== false;
  for (const [name, value] of Object.entries(attributes)) {
    if (!isGiven(value)) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(isGiven));
  return node;
}

// Gives an element this many children and returns them. Those that are there stay: a pointer may rest on one or press it.
export function fitChildren(node, count, create) {
  while (node.children.length > count) node.lastElementChild.remove();
  while (node.children.length < count) node.append(create());
  return [...node.children];
}

// Copies the content of a field.
export async function copyField(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without a secure connection a page may only copy what is selected.
    document.execCommand("copy");
  }
}

export const byId = (id) => document.getElementById(id);
