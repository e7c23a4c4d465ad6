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
import type { SchemaNode } from "./json-schema.ts";
import type { JsonObject } from "./json.ts";

export type SchemaReader = {
  readonly root: JsonObject;
  types(schema: SchemaNode): ReadonlySet<JsonType>;
  texts(schema: SchemaNode): readonly string[] | undefined;
  names(schema: SchemaNode): readonly string[];
  required(schema: SchemaNode): readonly string[];
  property(schema: SchemaNode, name: string): SchemaNode;
  item(schema: SchemaNode, index?: number): SchemaNode;
};

/** Use one reader per value: its cache grows with the names in the value. */
export function schemaReader(root: JsonObject): SchemaReader {
  const properties = memoize((schema) => memoize((name: string) => propertySchema(schema, name, root)));
  const items = memoize((schema) => memoize((index: number) => itemSchema(schema, root, index)));
  const anyItem = memoize((schema) => itemSchema(schema, root));
  return {
    root,
    types: memoize((schema) => typesAllowed(schema, root)),
    texts: memoize((schema) => textsAllowed(schema, root)),
    names: memoize((schema) => propertyNames(schema, root)),
    required: memoize((schema) => requiredNames(schema, root)),
    property: (schema, name) => properties(schema)(name),
    // No tuple is longer: all items behind it have the same schema.
    item: (schema, index) => (index === undefined ? anyItem(schema) : items(schema)(Math.min(index, 1000))),
  };
}

function memoize<Asked = SchemaNode, Answer = unknown>(
  answer: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  const known = new Map<Asked, { answer: Answer }>();
  return (asked) => {
    const found = known.get(asked) ?? { answer: answer(asked) };
    known.set(asked, found);
    return found.answer;
  };
}
