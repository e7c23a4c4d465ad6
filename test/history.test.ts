import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allDialects } from "../src/dialects/index.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { catalog } from "../src/providers/catalog.ts";
import { asText } from "../src/providers/taught-model.ts";
import { scale } from "../src/testing/scale.ts";
import { wires } from "../src/wires/index.ts";
import { afterCrash, askOf, complaints, sent } from "./support/all-wires.ts";
import { eventfulLog, models } from "./support/eventful-log.ts";
import { complaintsOf, shortIdComplaints } from "./support/valid-requests.ts";

const runs = 40 * scale;
const patience = 60_000 + runs * 2000;

/** Our heading above an answer of the user, which is used only where the question itself is no longer sent. */
const isHeading = (words: string): boolean => words.startsWith("[Asked: ");

/** The number of facts up to the first request, before which no model is asked. */
const begun = (log: readonly Entry[]): number => log.findIndex(({ type }) => type === "user-message") + 1;

describe("every prefix of every log", { timeout: patience }, () => {
  test("gives a request that all six formats accept, for every model", () => {
    fc.assert(
      fc.property(eventfulLog, (log) => {
        for (let length = begun(log); length <= log.length; length += 1) {
          const state = afterCrash(log.slice(0, length));
          expect(complaints(state.messages)).toEqual([]);
        }
      }),
      { numRuns: runs },
    );
  });

  test("gives a request that a model without native tools accepts, in each dialect", () => {
    fc.assert(
      fc.property(eventfulLog, fc.nat(), (log, place) => {
        const first = begun(log);
        const state = afterCrash(log.slice(0, first + (place % (log.length - first + 1))));
        const prompt = askOf(state.messages, models[6]);
        for (const dialect of allDialects) {
          const ask = { ...asText(prompt, dialect), model: "m" };
          const said = [
            ...complaintsOf("ollama", sent(wires.ollama.encodeAsk(ask, { streamed: true }))),
            ...complaintsOf("openai-chat", sent(wires["openai-chat"].encodeAsk(ask, { streamed: true }))),
          ];
          const roles = ask.messages.map(({ role }) => role);
          expect({ dialect: dialect.name, said, roles }).toEqual({
            dialect: dialect.name,
            said: [],
            roles: roles.map((_, at) => (at % 2 === 0 ? "user" : "assistant")),
          });
        }
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test("meets the extra demands of single vendors on the chat format", () => {
    const adjust = (name: string) =>
      catalog.find((provider) => provider.name === name)?.adjust?.["openai-chat"];
    const [short, thinking] = [adjust("mistral"), adjust("deepseek")];
    fc.assert(
      fc.property(eventfulLog, fc.nat(), (log, place) => {
        const first = begun(log);
        const state = afterCrash(log.slice(0, first + (place % (log.length - first + 1))));
        const ask = askOf(state.messages, models[3]);
        const body = sent(wires["openai-chat"].encodeAsk(ask, { streamed: true }));
        expect(shortIdComplaints(short?.(body, ask))).toEqual([]);
        expect(complaintsOf("openai-chat", short?.(body, ask))).toEqual([]);
        const thought = JSON.stringify(thinking?.(body, ask));
        const answers = thought.split('"role":"assistant"').length - 1;
        expect(thought.split('"reasoning_content":').length - 1).toBe(answers);
      }),
      { numRuns: runs },
    );
  });

  test("keeps every word of the user, and no state signed by another model", () => {
    fc.assert(
      fc.property(eventfulLog, (log) => {
        const state = afterCrash(log);
        const spoken = state.said
          .flat()
          .flatMap((part) =>
            part.type === "text" && part.text.trim() !== "" && !isHeading(part.text)
              ? [part.text.toWellFormed()]
              : [],
          );
        for (const model of models) {
          const { messages } = askOf(state.messages, model);
          const theirs = messages.flatMap(({ role, content }) => (role === "assistant" ? [] : content));
          const heard = theirs.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
          for (const words of spoken) expect(heard).toContain(words);
          const makers = [...JSON.stringify(messages).matchAll(/signed by ([^"]*)/g)].map(([, name]) => name);
          expect(makers.filter((name) => name !== model.name)).toEqual([]);
        }
      }),
      { numRuns: runs },
    );
  });
});
