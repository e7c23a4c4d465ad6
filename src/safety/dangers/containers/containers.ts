/** Programs that run other systems inside this one: containers, clusters, machines. */

import { program, type Program } from "../program.ts";
import { readAsGo } from "../verbs.ts";
import { compose, composeOptions } from "./compose.ts";
import { docker } from "./docker.ts";
import { kubernetes } from "./kubernetes.ts";

export const containers: readonly Program[] = [
  ...docker,
  program("docker-compose podman-compose", (use) => compose(readAsGo(use, composeOptions)), {
    options: composeOptions,
    verbs: 2,
  }),
  ...kubernetes,
];
