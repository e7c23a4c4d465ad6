/** Text for between and within HTML tags. */

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/gu, (character) => names[character] ?? "");
