/** Texts within HTML. */

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Fit for an element's content and for an attribute in either kind of quotation marks. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => names[character] ?? "");
