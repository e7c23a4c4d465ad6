/** Escapes text for use in HTML content and attributes. */

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/gu, (character) => names[character] ?? "");
