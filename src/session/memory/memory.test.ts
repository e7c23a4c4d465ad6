import { imageContract } from "../testing/image-contract.ts";
import { listContract } from "../testing/list-contract.ts";
import { ownerContract } from "../testing/owner-contract.ts";
import { peopleContract } from "../testing/people-contract.ts";
import { storeContract } from "../testing/store-contract.ts";
import { teamContract } from "../testing/team-contract.ts";
import { MemoryStore } from "./memory.ts";

const both = async (): Promise<[MemoryStore, MemoryStore]> => {
  const store = new MemoryStore();
  return [store, store];
};
storeContract("memory", both);
ownerContract("memory", both);
peopleContract("memory", both);
teamContract("memory", both);
listContract("memory", both);

imageContract("memory", async (maxImageBytes) => {
  const store = new MemoryStore({ maxImageBytes });
  return [store, store];
});
