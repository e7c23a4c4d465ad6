import { expect, test } from "vitest";
import type { Store } from "../store.ts";
import { storeContract } from "../testing/store-contract.ts";
import { openMemoryStore } from "./memory-store.ts";
import { info } from "./testing/sqlite.ts";

const both = async (): Promise<[Store, Store]> => {
  const store = openMemoryStore();
  return [store, store];
};

storeContract("memory", both);

test("stores in memory have nothing in common, and what one had is gone when it is closed", async () => {
  const [one, other] = [openMemoryStore(), openMemoryStore()];
  await one.create(info);
  expect([await one.list(), await other.list()]).toMatchObject([[info], []]);
  await one.close();
  await one.close();
  await expect(one.list()).rejects.toThrow();
  await other.close();
});
