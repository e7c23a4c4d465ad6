/** What may stand after a command of the conversation, each with its meaning. */

import type { Choice } from "../../tui/choice.ts";
import { firstSentence, modeChoices } from "../../view/mode-choices.ts";
import { reasoningChoices } from "../../view/reasoning-choices.ts";
import { sessionChoice } from "../sessions/table.ts";
import { shortId } from "../sessions/words.ts";
import { takesWord } from "./completion.ts";
import { requestChoices } from "./edit-message.ts";
import { otherSessions } from "./other-session.ts";
import type { Talk } from "./talk.ts";

/** Undefined: nothing is known. */
export async function argumentChoices(talk: Talk, command: string): Promise<readonly Choice[] | undefined> {
  switch (command) {
    case "mode":
      return modeChoices.map(({ mode, says }) => ({ name: mode, says: firstSentence(says) }));
    case "reasoning":
      return reasoningChoices.map(({ reasoning, says }) => ({ name: reasoning, says }));
    case "model":
      return modelChoices(talk);
    case "edit":
    case "fork": {
      const { turns } = talk.session.state;
      const said = requestChoices(turns);
      return turns.map(({ turn }, at) => ({ name: String(turn), says: said[at]?.name ?? "" })).toReversed();
    }
    case "resume": {
      const now = Date.now();
      const rows = await otherSessions(talk);
      return rows.map((row) => {
        const { name, says } = sessionChoice(row, now);
        return { name: shortId(row.id), says: `${name} · ${says}` };
      });
    }
    default:
      return takesWord[command]?.map((name) => ({ name, says: "" }));
  }
}

async function modelChoices({ context }: Talk): Promise<Choice[]> {
  const reach = (await context.reach?.()) ?? [];
  return reach.flatMap(({ provider, models }) =>
    models.map((name) => ({ name: `${provider}/${name}`, says: "" })),
  );
}
