/** Describes in words what fills a context. */

const names: Readonly<Record<string, string>> = {
  system: "system prompt",
  tools: "tools",
  user: "your messages",
  summary: "summary of earlier work",
  answers: "answers",
  results: "results",
  notes: "notes of Toolwright",
};

export const fillingName = (of: string): string => names[of] ?? of;
