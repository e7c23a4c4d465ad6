/** Where a VS Code under test keeps everything: a directory of its own, in which nobody has used it before. */

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyEnvironment, put } from "../support/command.ts";

export type EditorHome = {
  root: string;
  /** VS Code's directories: what it knows of its user, and the extensions installed. */
  user: string;
  extensions: string;
  env: Record<string, string>;
  /** For its command line. */
  flags: readonly string[];
};

export type EditorHomeOptions = {
  /** The user's settings, over those that keep VS Code quiet. */
  settings?: Record<string, unknown>;
  /** Variables for the extension host, over those of an empty home. */
  env?: Record<string, string>;
  /** "as users": a folder is in VS Code's restricted mode until a person trusts it; "everything" by default. */
  trust?: "everything" | "as users";
};

/** Nothing of these is what a test is about. */
const quiet = {
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": "off",
  // Its text is then in the document.
  "terminal.integrated.gpuAcceleration": "off",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Nothing listens there. */
const nowhere = "http://127.0.0.1:1";
const noGallery = { serviceUrl: nowhere, itemUrl: nowhere, resourceUrlTemplate: nowhere };

/** `machine`: settings of the machine, which no user's settings override. */
export async function newEditorHome(
  options: EditorHomeOptions,
  machine: Record<string, unknown>,
): Promise<EditorHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-editor-")));
  const temporary = join(root, "tmp");
  await mkdir(temporary);
  const user = join(root, "user");
  await put(user, {
    "User/settings.json": JSON.stringify({ ...quiet, ...options.settings }),
    "Machine/settings.json": JSON.stringify(machine),
  });
  return {
    root,
    user,
    extensions: join(root, "extensions"),
    env: {
      ...emptyEnvironment(root, temporary),
      XDG_DATA_HOME: join(root, "data"),
      EXTENSIONS_GALLERY: JSON.stringify(noGallery),
      ...options.env,
    },
    flags: options.trust === "as users" ? [] : ["--disable-workspace-trust"],
  };
}

export async function newWorkspace(home: EditorHome, files: Record<string, string>): Promise<string> {
  const workspace = await mkdtemp(join(home.root, "workspace-"));
  await put(workspace, files);
  return workspace;
}

/** What was just killed may still write for a moment. */
export const removeEditorHome = ({ root }: EditorHome): Promise<void> =>
  rm(root, { recursive: true, force: true, maxRetries: 10 });
