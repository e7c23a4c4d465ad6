/** The options of how a model is asked to use tools. */

import { constraintChoices, smallChoices } from "../../providers/capabilities.ts";
import { ofModels } from "./option-commands.ts";
import type { Option } from "./option-values.ts";

export const callOptions: readonly Option[] = [
  {
    name: "dialect",
    flag: "dialect",
    group: "model",
    variable: "TOOLWRIGHT_DIALECT",
    inConfig: true,
    type: { kind: "text", placeholder: "NAME" },
    default: "auto",
    concerns: ["inspect", ...ofModels],
    help: "How the model writes tool calls: `native`, the name of a text dialect, or `auto`: what was measured or seen to work, else what the server or the model's name suggests.",
  },
  {
    name: "constraint",
    flag: "constraint",
    group: "model",
    variable: "TOOLWRIGHT_CONSTRAINT",
    inConfig: true,
    type: { kind: "choice", values: constraintChoices },
    default: "auto",
    concerns: ofModels,
    help: "Whether the server holds the model to the form of its calls while it writes, if it can: `auto` where a dialect is taught, `on` for native tools, too, `off` never.",
  },
  {
    name: "smallModel",
    flag: "small-model",
    group: "model",
    variable: "TOOLWRIGHT_SMALL_MODEL",
    inConfig: true,
    type: { kind: "choice", values: smallChoices },
    default: "auto",
    concerns: ofModels,
    help: "Whether the model is asked as small models are (few tools, few words, one call an answer): `auto` if its server says that it has at most a billion weights.",
  },
];
