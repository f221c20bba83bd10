// Making elements: h("p", {class: "x", onclick: f}, "text", child) and the same for SVG.

/**
 * @param {Element} element
 * @param {Record<string, any>} props attributes; on... are listeners; false and null are left out
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/** An HTML element. @returns {any} its kind follows from the tag, which a type cannot say */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. @returns {any} */
export function s(tag, props, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** Set attributes of an element that is there already. */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value == null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

/** Set the text, if it is another one: what did not change is not read out again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}
