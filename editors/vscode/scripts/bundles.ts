/** The two bundles of the extension: the host's, as CommonJS, and the chat view's. */

import { join } from "node:path";
import { optionFlags } from "./settings.ts";

const sources = join(import.meta.dirname, "..", "src");

/** What only some ask for is a chunk of its own, so that activation loads little. */
export async function bundleExtension(target: string): Promise<void> {
  const { build } = await import("rolldown");
  await build({
    input: { extension: join(sources, "vscode", "extension.ts") },
    platform: "node",
    // The last two make `ws` faster where they are installed.
    external: ["vscode", "bufferutil", "utf-8-validate"],
    checks: { ineffectiveDynamicImport: false },
    resolve: { mainFields: ["module", "main"] },
    transform: {
      target: "node20",
      define: { TOOLWRIGHT_OPTION_FLAGS: JSON.stringify(optionFlags()) },
    },
    output: {
      dir: target,
      format: "cjs",
      dynamicImportInCjs: false,
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
      minify: true,
    },
  });
}

/** One script and one style, so that one nonce admits everything. */
export async function bundleView(target: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    configFile: false,
    root: join(sources, "webview"),
    base: "./",
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    build: {
      outDir: target,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: false,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(sources, "webview", "main.tsx"),
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: false,
          entryFileNames: "main.js",
          assetFileNames: ({ names }) => (names[0]?.endsWith(".css") ? "main.css" : "[name][extname]"),
        },
      },
    },
  });
}
