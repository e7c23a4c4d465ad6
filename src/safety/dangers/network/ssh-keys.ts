/** Programs that manage ssh keys. */

import { literal, type Word } from "../../command-line/word.ts";
import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { program, type Program, type Use } from "../program.ts";

export const sshKeys: readonly Program[] = [
  program("ssh-keygen", keys, {
    options: { short: "abCDEFfGIJKMmNnOPRrsSTtVWwzZ" },
  }),
  program(
    "ssh-add",
    ({ has, operands, values }) => [
      ...(has("D", "d") ? [danger("medium", "it makes the agent forget keys")] : []),
      ...(values("s", "S").length > 0 ? [danger("high", "its option loads code")] : []),
      ...reads(operands),
    ],
    { options: { short: "EeHhSsTt" } },
  ),
  program(
    "ssh-agent",
    ({ operands, has }) => [
      ...(operands.length > 0 ? [runs(operands)] : []),
      ...(has("k") ? [danger("medium", "it ends the agent that holds your keys")] : []),
    ],
    { options: { short: "aEOPt", stopAtOperand: true } },
  ),
  program("ssh-keyscan", ({ operands }) => operands.map((from): Effect => ({ type: "fetches", from })), {
    options: { short: "fOpTt" },
  }),
];

function* keys(use: Use): Iterable<Effect> {
  const file = use.value("f");
  if (use.has("D", "w")) yield danger("high", "its option loads code");
  if (use.has("D")) return;
  if (use.has("R")) {
    yield { type: "writes", path: file ?? inHome(use, ".ssh/known_hosts"), how: "edits" };
    return;
  }
  if (use.has("y")) yield danger("high", "it opens a private key");
  if (use.has("l", "F", "B", "L", "y", "Q", "e", "i", "H", "Y", "r")) {
    if (file) yield* reads([file]);
    return;
  }
  const path = file ?? inHome(use, ".ssh/id_ed25519");
  yield* replaces([path, { ...path, text: `${path.text}.pub` }]);
}

const inHome = (use: Use, name: string): Word => literal(`${use.around.home}/${name}`);
