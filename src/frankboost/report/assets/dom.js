// The files of this folder are joined into one module, page.js last. Nodes are made here; text is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; an attribute that is false or null is left out. */
function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function shape(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}
