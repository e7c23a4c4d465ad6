import { MemoryStore } from "./memory.ts";
import { storeContract } from "./store-contract.ts";

storeContract("memory", async () => {
  const store = new MemoryStore();
  return [store, store];
});
