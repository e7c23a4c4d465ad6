/** Shapes of rows for programs that either show how a system stands or change it. */

import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, type Program, program, type Use } from "../program.ts";
import { type Telling, tell } from "../verbs.ts";

/** Whatever its words are, unless it is only asked about itself. */
export const changes = (names: string, does: Telling, options: OptionForm = {}): Program =>
  program(names, (use) => (asksAboutItself(use) ? [] : tell(does, use)), { options });

/** Its first operand is a verb: these only show. So does it without any. */
export function unlessVerb(names: string, shows: string, does: Telling, options: OptionForm = {}): Program {
  const showing = new Set(namesIn(shows));
  return program(
    names,
    (use) => {
      const [verb] = use.operands;
      return verb === undefined || showing.has(verb.text) || asksAboutItself(use) ? [] : tell(does, use);
    },
    { options, verbs: 2 },
  );
}

/** With one of these options, or without any word, it only shows. */
export function unlessOption(names: string, shows: string, does: Telling, options: OptionForm = {}): Program {
  const showing = namesIn(shows);
  return program(
    names,
    (use) => (use.words.length === 0 || use.has(...showing) || asksAboutItself(use) ? [] : tell(does, use)),
    { options },
  );
}

/** It changes something only with one of these options. */
export function onlyWithOption(
  names: string,
  changing: string,
  does: Telling,
  options: OptionForm = {},
): Program {
  const acting = namesIn(changing);
  return program(names, (use) => (use.has(...acting) ? tell(does, use) : []), { options });
}

export const shows = (names: string, options: OptionForm = {}): Program =>
  program(names, (): Effect[] => [], { options });

export const asksAboutItself = ({ has }: Use): boolean => has("help", "version");
