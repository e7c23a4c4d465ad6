/** Runs test commands over a sandbox overlay, one at a time, with options for what happens to their changes. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "../../src/protocol/fact-words.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { own, type Place, requestFor, runOne, type Tools } from "./sandbox-place.ts";
import type { RunOutcome, RunRequest } from "./sandbox-runner.ts";

type More = Partial<ContainRequest> & Omit<RunRequest, "requests">;
type Run = (place: Place, profile: Profile, line: string, more?: More) => Promise<RunOutcome>;

/** Uses an overlay unless the options say otherwise. */
export const runnerWith =
  (tools: () => Tools): Run =>
  (place, profile, line, more = {}) => {
    const { after, meanwhile, abandon, wallMs, ...request } = more;
    own(place.workspace, place.person);
    return runOne(tools(), place, requestFor(place, profile, line, { overlay: true, ...request }), {
      ...(after ? { after } : {}),
      ...(meanwhile === undefined ? {} : { meanwhile }),
      ...(abandon ? { abandon } : {}),
      ...(wallMs === undefined ? {} : { wallMs }),
    });
  };

export const pathsOf = ({ changes }: RunOutcome): string[] => changes.map(({ path }) => path).sort();
export const textOf = (place: Place, path: string): string =>
  readFileSync(join(place.workspace, path), "utf8");
