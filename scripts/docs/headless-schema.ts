/** Writes docs/headless.schema.json from the schemas in `src/cli/headless/schemas.ts`. */

import { headlessSchema } from "../../src/cli/headless/json-schemas.ts";

/** One definition a line, so that a review sees what changed. */
export function headlessSchemaFile(): string {
  const { $defs = {}, ...head } = headlessSchema();
  const members = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  );
  const definitions = Object.entries($defs ?? {}).map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  return `{\n${members.join("\n")}\n  "$defs": {\n${definitions.join(",\n")}\n  }\n}\n`;
}
