/** Small conversations, in which every text is a word of its own: what a chat template makes of them shows its form. */

import type { Json, JsonObject } from "../../base/json.ts";

/** The call that is rendered. A text and a number show how values stand. */
export const markedCall = { id: "markcall1", name: "look_up", input: { word: "zwordz", count: 7 } } as const;
export const secondCall = { id: "markcall2", name: "look_up", input: { word: "zotherz", count: 8 } } as const;
export const words = { said: "zsaidz", asked: "zaskedz", result: "zresultz" } as const;

type TemplateCall = { id: string; type: "function"; function: { name: string; arguments: JsonObject } };
type TemplateMessage = {
  role: "user" | "assistant" | "tool";
  content: string;
  tool_calls?: TemplateCall[];
  name?: string;
  tool_call_id?: string;
};

type MarkedCall = { id: string; name: string; input: Readonly<Record<string, Json>> };

const call = ({ id, name, input }: MarkedCall): TemplateCall => ({
  id,
  type: "function",
  function: { name, arguments: { ...input } },
});
const user = (content: string): TemplateMessage => ({ role: "user", content });
const calls = (...all: MarkedCall[]): TemplateMessage => ({
  role: "assistant",
  content: "",
  tool_calls: all.map(call),
});

const question = user("zquestionz");
const asked = [question, calls(markedCall)];

/** The names of the conversations, and their messages. */
export const conversations = {
  said: [question, { role: "assistant", content: words.said }],
  called: asked,
  twice: [question, calls(markedCall, secondCall)],
  told: [...asked, { role: "tool", name: "look_up", tool_call_id: markedCall.id, content: words.result }],
  asked: [...asked, user(words.asked)],
} satisfies Record<string, TemplateMessage[]>;

export type ConversationName = keyof typeof conversations;

/** The tool on offer, in the form that templates are given. */
export const tools: Json[] = [
  {
    type: "function",
    function: {
      name: "look_up",
      description: "Looks a word up.",
      parameters: {
        type: "object",
        properties: {
          word: { type: "string", description: "The word." },
          count: { type: "integer", description: "How many." },
        },
        required: ["word"],
      },
    },
  },
];
