/** Finds keys that a configuration file has twice: in JSON the last one would win, and a denial in the first be lost. */

import type { Node } from "jsonc-parser";

type RepeatedKey = {
  /** The second one, as written. */
  name: string;
  /** Where in the text it is. */
  offset: number;
  /** What the key of the file says at all its places: the items of its lists, with null for one that repeats a key. */
  value: unknown[];
};

/** By the key of the file that is repeated, or in whose value a key is. */
export function repeatedKeys(root: Node, valueOf: (node: Node) => unknown): Map<string, RepeatedKey> {
  const found = new Map<string, RepeatedKey>();
  for (const [key, values] of Map.groupBy(propertiesOf(root), nameOf)) {
    const nodes = values.flatMap(({ children }) => children?.[1] ?? []);
    const second = values.length > 1 ? values[1] : undefined;
    const repeat = second ?? nodes.map(repeatWithin).find((inner) => inner !== undefined);
    if (!repeat) continue;
    const items = nodes.flatMap((node) => (node.type === "array" ? (node.children ?? []) : [node]));
    const value = items.map((item) => (repeatWithin(item) ? null : valueOf(item)));
    found.set(key, { name: nameOf(repeat), offset: repeat.offset, value });
  }
  return found;
}

const propertiesOf = (node: Node): Node[] => (node.type === "object" ? (node.children ?? []) : []);

const nameOf = ({ children }: Node): string => String(children?.[0]?.value);

/** The first property at any depth whose name its object has already; without recursion, however deep it is. */
function repeatWithin(node: Node): Node | undefined {
  const open = [node];
  for (let at = open.pop(); at; at = open.pop()) {
    const repeat = firstRepeat(at);
    if (repeat) return repeat;
    for (const child of at.children ?? []) open.push(child);
  }
  return undefined;
}

function firstRepeat(node: Node): Node | undefined {
  const names = new Set<string>();
  return propertiesOf(node).find((property) => names.size === names.add(nameOf(property)).size);
}
