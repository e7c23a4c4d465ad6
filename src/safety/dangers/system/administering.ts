/** Row builders for programs that either show a system's state or change it. */

import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, type Program, program, type Use } from "../program.ts";
import { type Telling, tell } from "../verbs.ts";

/** Has these effects whatever its arguments, except when asked for help or its version. */
export const changes = (names: string, does: Telling, options: OptionForm = {}): Program =>
  program(names, (use) => (asksAboutItself(use) ? [] : tell(does, use)), { options });

/** The first operand is a verb: the listed ones only show something, as does no verb at all. */
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

/** Only shows something with one of these options or without any arguments. */
export function unlessOption(names: string, shows: string, does: Telling, options: OptionForm = {}): Program {
  const showing = namesIn(shows);
  return program(
    names,
    (use) => (use.words.length === 0 || use.has(...showing) || asksAboutItself(use) ? [] : tell(does, use)),
    { options },
  );
}

/** Changes something only with one of these options. */
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
