/**
 * Stands in for the store in memory while TOOLWRIGHT_TEST_DATABASE keeps the sessions of tests on a server: the same
 * class, whose contents are in an empty database of its own that is opened when it is first used.
 */

import { onTestFinished } from "vitest";
import { openPostgresStore } from "../postgres/postgres.ts";
import { borrowedDatabase } from "../postgres/testing/postgres.ts";
import type { Store } from "../store.ts";

type Given<Name extends Exclude<keyof Store, "news" | "team">> = Parameters<Store[Name]>;

export const openMemoryStore = (): Store => new MemoryStore();

export class MemoryStore implements Store {
  readonly #opened: Promise<Store>;
  readonly team: Store["team"] = {
    belonging: (...given) => this.#store((store) => store.team.belonging(...given)),
    belongings: (...given) => this.#store((store) => store.team.belongings(...given)),
    give: (...given) => this.#store((store) => store.team.give(...given)),
    share: (...given) => this.#store((store) => store.team.share(...given)),
    record: (...given) => this.#store((store) => store.team.record(...given)),
    records: (...given) => this.#store((store) => store.team.records(...given)),
    replace: (...given) => this.#store((store) => store.team.replace(...given)),
  };

  constructor(options: { maxImageBytes?: number } = {}) {
    this.#opened = borrowedDatabase().then((address) => openPostgresStore(address, options));
    // It outlives its `close`, as what is in memory does.
    onTestFinished(() => this.#store((store) => store.close()));
  }

  #store<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
    return this.#opened.then(work);
  }

  create(...given: Given<"create">) {
    return this.#store((store) => store.create(...given));
  }
  list(...given: Given<"list">) {
    return this.#store((store) => store.list(...given));
  }
  unfinished(...given: Given<"unfinished">) {
    return this.#store((store) => store.unfinished(...given));
  }
  get(...given: Given<"get">) {
    return this.#store((store) => store.get(...given));
  }
  children(...given: Given<"children">) {
    return this.#store((store) => store.children(...given));
  }
  heads(...given: Given<"heads">) {
    return this.#store((store) => store.heads(...given));
  }
  changed(...given: Given<"changed">) {
    return this.#store((store) => store.changed(...given));
  }
  figures(...given: Given<"figures">) {
    return this.#store((store) => store.figures(...given));
  }
  keepFigures(...given: Given<"keepFigures">) {
    return this.#store((store) => store.keepFigures(...given));
  }
  delete(...given: Given<"delete">) {
    return this.#store((store) => store.delete(...given));
  }
  search(...given: Given<"search">) {
    return this.#store((store) => store.search(...given));
  }
  copy(...given: Given<"copy">) {
    return this.#store((store) => store.copy(...given));
  }
  claim(...given: Given<"claim">) {
    return this.#store((store) => store.claim(...given));
  }
  renew(...given: Given<"renew">) {
    return this.#store((store) => store.renew(...given));
  }
  release(...given: Given<"release">) {
    return this.#store((store) => store.release(...given));
  }
  holder(...given: Given<"holder">) {
    return this.#store((store) => store.holder(...given));
  }
  noteProcess(...given: Given<"noteProcess">) {
    return this.#store((store) => store.noteProcess(...given));
  }
  forgetProcess(...given: Given<"forgetProcess">) {
    return this.#store((store) => store.forgetProcess(...given));
  }
  processes(...given: Given<"processes">) {
    return this.#store((store) => store.processes(...given));
  }
  append(...given: Given<"append">) {
    return this.#store((store) => store.append(...given));
  }
  read(...given: Given<"read">) {
    return this.#store((store) => store.read(...given));
  }
  keepOpenBlock(...given: Given<"keepOpenBlock">) {
    return this.#store((store) => store.keepOpenBlock(...given));
  }
  openBlock(...given: Given<"openBlock">) {
    return this.#store((store) => store.openBlock(...given));
  }
  putBlob(...given: Given<"putBlob">) {
    return this.#store((store) => store.putBlob(...given));
  }
  getBlob(...given: Given<"getBlob">) {
    return this.#store((store) => store.getBlob(...given));
  }
  keepImage(...given: Given<"keepImage">) {
    return this.#store((store) => store.keepImage(...given));
  }
  image(...given: Given<"image">) {
    return this.#store((store) => store.image(...given));
  }
  dropImages(...given: Given<"dropImages">) {
    return this.#store((store) => store.dropImages(...given));
  }
  putMeasured(...given: Given<"putMeasured">) {
    return this.#store((store) => store.putMeasured(...given));
  }
  addCounts(...given: Given<"addCounts">) {
    return this.#store((store) => store.addCounts(...given));
  }
  dialectsOf(...given: Given<"dialectsOf">) {
    return this.#store((store) => store.dialectsOf(...given));
  }
  measuredModels(...given: Given<"measuredModels">) {
    return this.#store((store) => store.measuredModels(...given));
  }
  probe(...given: Given<"probe">) {
    return this.#store((store) => store.probe(...given));
  }
  async close(): Promise<void> {}
}
