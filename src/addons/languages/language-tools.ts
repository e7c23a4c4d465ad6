/** How the tools reach the language servers; importing it loads nothing. */

import type { Languages } from "./languages.ts";
import type * as servers from "./servers.ts";

type LoadedLanguages = { module: typeof servers; languages: Languages };

/** Loads them if needed; what is asked may take a while. */
export type AskLanguages = <T>(ask: (loaded: LoadedLanguages) => Promise<T>) => Promise<T>;
