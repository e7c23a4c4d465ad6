/** Asks what to do at a reached limit: stop, continue as offered, or up to another figure. */

import type { FactOf, LimitName } from "../../protocol/facts.ts";
import type { Card } from "../../tui/card.ts";
import { amountWords, limitLines } from "../../view/message-lines.ts";
import { askUntilTaken, readReply } from "./reply.ts";
import type { Talk } from "./talk.ts";

type LimitAnswer = { answer: "stop" } | { answer: "extend"; most?: number };

export async function askLimit(talk: Talk, asked: FactOf<"limit-asked">): Promise<void> {
  const { style, session } = talk;
  const { limit, used, most, offer } = asked;
  const card: Card = {
    content: {
      type: "lines",
      lines: limitLines({ type: "limit", key: "", limit, used, most, offer }, style),
    },
    offers: [
      { key: "y", words: `yes, up to ${amountWords(limit, offer)}`, answer: "y" },
      { key: "m", words: "up to how much", answer: "", needs: "words" },
      { key: "n", words: "no, stop", answer: "n" },
    ],
    prompt: `  Go on? [y]es, up to ${amountWords(limit, offer)} · [n]o, stop · or up to how much: `,
  };
  await askUntilTaken<LimitAnswer>(talk, {
    isOpen: () => session.state.limitAsked !== undefined,
    read: () => readAnswer(talk, asked, card),
    refusal: { answer: "stop" },
    command: (answer) => ({ type: "answer-limit", by: "terminal", ...answer }),
  });
}

async function readAnswer(
  talk: Talk,
  { limit, offer }: FactOf<"limit-asked">,
  card: Card,
): Promise<LimitAnswer | undefined> {
  for (;;) {
    const line = await readReply(talk, card);
    if (line === undefined) return undefined;
    const answer = parseLimitAnswer(line, limit);
    if (answer) return answer;
    talk.terminal.note(`  Please answer y, n or a figure, such as ${amountWords(limit, offer)}.`);
  }
}

/** `undefined` if the answer is unclear. */
export function parseLimitAnswer(line: string, limit: LimitName): LimitAnswer | undefined {
  const said = line.trim().toLowerCase();
  if (/^(?:y|yes|go on|ok)$/u.test(said)) return { answer: "extend" };
  if (/^(?:n|no|stop)$/u.test(said)) return { answer: "stop" };
  const [, digits = "", unit = ""] =
    /^\$?\s*(\d[\d,_]*(?:\.\d+)?)\s*([a-z$]*)(?:\s+in all)?$/u.exec(said) ?? [];
  const factor = factorOf(unit, limit);
  const figure = Number(digits.replaceAll(/[,_]/gu, ""));
  if (digits === "" || factor === undefined || !Number.isFinite(figure)) return undefined;
  return { answer: "extend", most: limit === "cost" ? figure : Math.round(figure * factor) };
}

/** A bare number uses the limit's own unit; a bare time is in minutes. */
function factorOf(unit: string, limit: LimitName): number | undefined {
  if (limit === "time")
    return new Map([
      ["", 60_000],
      ["s", 1_000],
      ["sec", 1_000],
      ["seconds", 1_000],
      ["m", 60_000],
      ["min", 60_000],
      ["minutes", 60_000],
      ["h", 3_600_000],
      ["hours", 3_600_000],
    ]).get(unit);
  if (unit === "" || unit === limit || unit === limit.slice(0, -1)) return 1;
  if (limit === "cost") return ["$", "usd", "dollars"].includes(unit) ? 1 : undefined;
  if (limit !== "tokens") return undefined;
  return new Map([
    ["k", 1_000],
    ["m", 1_000_000],
  ]).get(unit);
}
