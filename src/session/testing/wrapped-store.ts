/** A store whose calls all go to another one: for tests that count, delay or refuse some of them. */

import { openMemoryStore } from "../sqlite/memory-store.ts";
import type { Store } from "../store.ts";

type StoreCall<Name extends Exclude<keyof Store, "news" | "team">> = Parameters<Store[Name]>;

export class WrappedStore implements Store {
  readonly #inner: Store | Promise<Store>;
  readonly team: Store["team"] = {
    belonging: (...given) => this.#store((store) => store.team.belonging(...given)),
    belongings: (...given) => this.#store((store) => store.team.belongings(...given)),
    give: (...given) => this.#store((store) => store.team.give(...given)),
    share: (...given) => this.#store((store) => store.team.share(...given)),
    record: (...given) => this.#store((store) => store.team.record(...given)),
    records: (...given) => this.#store((store) => store.team.records(...given)),
    replace: (...given) => this.#store((store) => store.team.replace(...given)),
  };

  constructor(inner: Store | Promise<Store> = openMemoryStore()) {
    this.#inner = inner;
  }

  #store<Value>(work: (store: Store) => Promise<Value>): Promise<Value> {
    return this.#inner instanceof Promise ? this.#inner.then(work) : work(this.#inner);
  }

  create(...given: StoreCall<"create">) {
    return this.#store((store) => store.create(...given));
  }
  list(...given: StoreCall<"list">) {
    return this.#store((store) => store.list(...given));
  }
  unfinished(...given: StoreCall<"unfinished">) {
    return this.#store((store) => store.unfinished(...given));
  }
  get(...given: StoreCall<"get">) {
    return this.#store((store) => store.get(...given));
  }
  children(...given: StoreCall<"children">) {
    return this.#store((store) => store.children(...given));
  }
  heads(...given: StoreCall<"heads">) {
    return this.#store((store) => store.heads(...given));
  }
  changed(...given: StoreCall<"changed">) {
    return this.#store((store) => store.changed(...given));
  }
  figures(...given: StoreCall<"figures">) {
    return this.#store((store) => store.figures(...given));
  }
  keepFigures(...given: StoreCall<"keepFigures">) {
    return this.#store((store) => store.keepFigures(...given));
  }
  delete(...given: StoreCall<"delete">) {
    return this.#store((store) => store.delete(...given));
  }
  search(...given: StoreCall<"search">) {
    return this.#store((store) => store.search(...given));
  }
  copy(...given: StoreCall<"copy">) {
    return this.#store((store) => store.copy(...given));
  }
  claim(...given: StoreCall<"claim">) {
    return this.#store((store) => store.claim(...given));
  }
  renew(...given: StoreCall<"renew">) {
    return this.#store((store) => store.renew(...given));
  }
  release(...given: StoreCall<"release">) {
    return this.#store((store) => store.release(...given));
  }
  holder(...given: StoreCall<"holder">) {
    return this.#store((store) => store.holder(...given));
  }
  noteProcess(...given: StoreCall<"noteProcess">) {
    return this.#store((store) => store.noteProcess(...given));
  }
  forgetProcess(...given: StoreCall<"forgetProcess">) {
    return this.#store((store) => store.forgetProcess(...given));
  }
  processes(...given: StoreCall<"processes">) {
    return this.#store((store) => store.processes(...given));
  }
  append(...given: StoreCall<"append">) {
    return this.#store((store) => store.append(...given));
  }
  read(...given: StoreCall<"read">) {
    return this.#store((store) => store.read(...given));
  }
  keepOpenBlock(...given: StoreCall<"keepOpenBlock">) {
    return this.#store((store) => store.keepOpenBlock(...given));
  }
  openBlock(...given: StoreCall<"openBlock">) {
    return this.#store((store) => store.openBlock(...given));
  }
  putBlob(...given: StoreCall<"putBlob">) {
    return this.#store((store) => store.putBlob(...given));
  }
  getBlob(...given: StoreCall<"getBlob">) {
    return this.#store((store) => store.getBlob(...given));
  }
  keepImage(...given: StoreCall<"keepImage">) {
    return this.#store((store) => store.keepImage(...given));
  }
  image(...given: StoreCall<"image">) {
    return this.#store((store) => store.image(...given));
  }
  dropImages(...given: StoreCall<"dropImages">) {
    return this.#store((store) => store.dropImages(...given));
  }
  putMeasured(...given: StoreCall<"putMeasured">) {
    return this.#store((store) => store.putMeasured(...given));
  }
  addCounts(...given: StoreCall<"addCounts">) {
    return this.#store((store) => store.addCounts(...given));
  }
  dialectsOf(...given: StoreCall<"dialectsOf">) {
    return this.#store((store) => store.dialectsOf(...given));
  }
  measuredModels(...given: StoreCall<"measuredModels">) {
    return this.#store((store) => store.measuredModels(...given));
  }
  probe(...given: StoreCall<"probe">) {
    return this.#store((store) => store.probe(...given));
  }
  close(): Promise<void> {
    return this.#store((store) => store.close());
  }
}
