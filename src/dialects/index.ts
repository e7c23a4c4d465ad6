/** Every dialect, by name. */
import type { Dialect } from "./dialect.ts";
import { hermes } from "./hermes.ts";

export const dialects: Readonly<Record<string, Dialect>> = { [hermes.name]: hermes };

/** What a model without native tools is taught unless the user chose another. */
export const defaultDialect: Dialect = hermes;
