/** Our marks in plain ASCII, for terminals whose locale has no others; each takes one column, as before. */

const plain: Readonly<Record<string, string>> = {
  "●": "*",
  "○": "o",
  "∴": ":",
  "❯": ">",
  "»": ">",
  "▸": ">",
  "☐": "o",
  "✓": "x",
  "─": "-",
  "│": "|",
  "⋮": ":",
  "…": "~",
  "·": "-",
  "→": ">",
  "↑": "^",
  "↓": "v",
  "⎇": "@",
  "⏎": "$",
  "−": "-",
  "⇧": "^",
  "⇥": ">",
};

const marks = new RegExp(`[${Object.keys(plain).join("")}⠀-⣿]`, "gu");

/** What others have written, in whatever script, stays as it is. */
export const plainMarks = (text: string): string => text.replace(marks, (mark) => plain[mark] ?? "*");
