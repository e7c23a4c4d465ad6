/** The last check before HTML reaches the page: removes anything that our Markdown renderer never produces. */

import DOMPurify from "dompurify";
import { isHarmless } from "../../view/markdown/markdown-html.ts";

const allowed = {
  ALLOWED_TAGS: [
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote",
    "ul", "ol", "li", "a", "span", "div", "button", "input", "table", "thead", "tbody", "tr", "th", "td",
  ], // prettier-ignore
  ALLOWED_ATTR: [
    "href", "target", "rel", "title", "class", "start", "align", "type", "checked", "disabled",
    "aria-label", "role", "tabindex", "data-language",
  ], // prettier-ignore
};
const config = { ...allowed, ALLOW_DATA_ATTR: false, RETURN_DOM_FRAGMENT: true } as const;

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  if (!isHarmless(node.getAttribute("href") ?? "")) node.removeAttribute("href");
  node.setAttribute("rel", "noopener noreferrer");
  node.setAttribute("target", "_blank");
});

/** A single element with the HTML. Its direction follows its first letters; code always runs left to right. */
export function elementOf(html: string): HTMLElement {
  const element = onlyElementOf(html);
  if (!element.matches(".code")) element.dir = "auto";
  return element;
}

function onlyElementOf(html: string): HTMLElement {
  const fragment = DOMPurify.sanitize(html.trim(), config);
  const [only] = fragment.children;
  if (only instanceof HTMLElement && fragment.childNodes.length === 1) return only;
  const place = document.createElement("div");
  place.append(fragment);
  return place;
}
