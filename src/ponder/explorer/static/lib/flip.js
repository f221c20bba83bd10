// A board from the other side: turned by half a circle, while letters stay upright.

/** The same answer to "table" or "board", seen from the other side. */
export function flipped(answer) {
  const root = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  const [left, top, wide, high] = (root.getAttribute("viewBox") ?? "0 0 100 100").split(/\s+/).map(Number);
  const x = 2 * left + wide, y = 2 * top + high;
  const turned = root.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "g");
  turned.setAttribute("transform", `rotate(180 ${x / 2} ${y / 2})`);
  for (const letter of root.querySelectorAll("text")) {
    const own = `rotate(180 ${letter.getAttribute("x") ?? 0} ${letter.getAttribute("y") ?? 0})`;
    letter.setAttribute("transform", `${letter.getAttribute("transform") ?? ""} ${own}`.trim());
  }
  turned.append(...root.childNodes);
  root.append(turned);
  return {
    ...answer,
    svg: new XMLSerializer().serializeToString(root),
    actions: answer.actions.map((one) => ({ ...one, places: one.places.map(([a, b, r]) => [x - a, y - b, r]) })),
  };
}
