/** What looking for a sandbox results in: one that was tried and works, or the reason why there is none. */

import type { Expected } from "../../base/expected.ts";
import type { Profile } from "../../protocol/fact-words.ts";
import type { OverlaysState } from "../subject.ts";
import type { ContainedRun } from "./contained-run.ts";
import type { OverlayPlaces } from "./overlay/overlays-work.ts";
import type { ContainRequest } from "./request.ts";

export type Sandbox =
  | {
      kind: "bubblewrap" | "landlock" | "sandbox-exec";
      version: string;
      /** Protections that are missing on this machine, one line each. */
      lacks: readonly string[];
      contain(request: ContainRequest): Promise<Expected<ContainedRun>>;
      /** Starts beforehand what the next command will be given to, where there is such a thing. */
      startNext?(): void;
      /** What was not tried at this start, but remembered, was wrong: it is tried again. */
      forgetTryOuts?(): void;
      /** Those that it has, if not all. */
      profiles?: readonly Profile[];
      /** Whether commands can run over an overlay of this workspace; probed once. */
      overlays(places: OverlayPlaces): Promise<OverlaysState>;
      /** The directories where sockets that other programs open while a command runs can be reached. */
      openToSockets(stateDir: string): Promise<readonly string[]>;
    }
  /** The reason and its remedy, in one line. */
  | { kind: "none"; because: string };
