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

// Replaces the content of an element. The focus stays on the part with the same `data-key`.
export function replaceParts(host, ...parts) {
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  host.replaceChildren(...parts);
  if (focused !== undefined) host.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

// Scrolls a box so that a part of it can be seen. Nothing around the box is scrolled, unlike by `scrollIntoView`.
export function scrollWithin(box, part) {
  const [outer, inner] = [box, part].map((node) => node.getBoundingClientRect());
  box.scrollTop += Math.min(0, inner.top - outer.top) || Math.max(0, inner.bottom - outer.bottom);
  box.scrollLeft += Math.min(0, inner.left - outer.left) || Math.max(0, inner.right - outer.right);
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
