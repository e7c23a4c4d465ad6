/** Caches the answers of `json-schema.ts` about one schema, for values with thousands of places. */

import {
  itemSchema,
  type JsonType,
  propertyNames,
  propertySchema,
  requiredNames,
  textsAllowed,
  typesAllowed,
} from "./json-schema.ts";
import type { Json, JsonObject } from "./json.ts";

type Schema = Json | undefined;

export type SchemaReader = {
  readonly root: JsonObject;
  types(schema: Schema): ReadonlySet<JsonType>;
  texts(schema: Schema): readonly string[] | undefined;
  names(schema: Schema): readonly string[];
  required(schema: Schema): readonly string[];
  property(schema: Schema, name: string): Schema;
  item(schema: Schema, index?: number): Schema;
};

/** Use one reader per value: its cache grows with the names in the value. */
export function schemaReader(root: JsonObject): SchemaReader {
  const properties = remembered((schema) => remembered((name: string) => propertySchema(schema, name, root)));
  const items = remembered((schema) => remembered((index: number) => itemSchema(schema, root, index)));
  const anyItem = remembered((schema) => itemSchema(schema, root));
  return {
    root,
    types: remembered((schema) => typesAllowed(schema, root)),
    texts: remembered((schema) => textsAllowed(schema, root)),
    names: remembered((schema) => propertyNames(schema, root)),
    required: remembered((schema) => requiredNames(schema, root)),
    property: (schema, name) => properties(schema)(name),
    // No tuple is longer: all items behind it have the same schema.
    item: (schema, index) => (index === undefined ? anyItem(schema) : items(schema)(Math.min(index, 1000))),
  };
}

function remembered<Asked = Schema, Answer = unknown>(
  answer: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  const known = new Map<Asked, { answer: Answer }>();
  return (asked) => {
    const found = known.get(asked) ?? { answer: answer(asked) };
    known.set(asked, found);
    return found.answer;
  };
}
