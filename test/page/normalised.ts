/** The content of a page without what may differ between two equal pages: times, generated names, positions. */

import type { Page } from "playwright-core";

/** The conversation and any open panels, one line for each element with content. */
export const normalised = (page: Page): Promise<string> => page.evaluate(outline);

function outline(): string {
  const leftOut = [".call-time", "time", ".reasoning-time", ".waiting", ".to-end", ".composer"].join(",");
  const told = [
    "role",
    "aria-expanded",
    "aria-label",
    "href",
    "disabled",
    "checked",
    "data-question",
    "open",
  ];
  const lines: string[] = [];

  const visit = (node: Node, depth: number): void => {
    if (node instanceof Text) {
      const text = node.data.trim();
      if (text !== "") lines.push(`${" ".repeat(depth)}${text}`);
      return;
    }
    if (!(node instanceof Element) || node.matches(leftOut)) return;
    const attributes = told.flatMap((name) =>
      node.hasAttribute(name) ? [`${name}=${node.getAttribute(name)}`] : [],
    );
    const classes = [...node.classList].toSorted().join(".");
    lines.push(`${" ".repeat(depth)}<${node.localName}.${classes} ${attributes.join(" ")}>`);
    for (const child of node.childNodes) visit(child, depth + 1);
  };

  const places = [...document.querySelectorAll(".session-head, [role=log], .side, .session-foot")];
  const outer = places.filter((place) => !places.some((other) => other !== place && other.contains(place)));
  for (const place of outer) visit(place, 0);
  return lines.join("\n");
}
