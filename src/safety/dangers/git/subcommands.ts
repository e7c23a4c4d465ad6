/** All git subcommands, indexed by name. */

import { configSubcommand } from "./config.ts";
import { history } from "./history.ts";
import { patches } from "./patches.ts";
import { plumbing } from "./plumbing.ts";
import { reading } from "./reading.ts";
import { remotes } from "./remotes.ts";
import type { Subcommand } from "./subcommand.ts";
import { workingTree } from "./working-tree.ts";

const all = [...reading, ...workingTree, ...history, ...remotes, ...patches, ...plumbing, configSubcommand];

export const subcommands: ReadonlyMap<string, Subcommand> = new Map(
  all.flatMap((row) => row.names.map((name): [string, Subcommand] => [name, row])),
);
