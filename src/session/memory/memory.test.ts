import { imageContract } from "../store-contract/images.ts";
import { listContract } from "../store-contract/lists.ts";
import { ownerContract } from "../store-contract/owners.ts";
import { peopleContract } from "../store-contract/people.ts";
import { storeContract } from "../store-contract/store-contract.ts";
import { MemoryStore } from "./memory.ts";

const both = async (): Promise<[MemoryStore, MemoryStore]> => {
  const store = new MemoryStore();
  return [store, store];
};
storeContract("memory", both);
ownerContract("memory", both);
peopleContract("memory", both);
listContract("memory", both);

imageContract("memory", async (maxImageBytes) => {
  const store = new MemoryStore({ maxImageBytes });
  return [store, store];
});
