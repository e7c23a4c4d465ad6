import { MemoryStore } from "./memory.ts";
import { imageContract } from "./store-contract-images.ts";
import { storeContract } from "./store-contract.ts";

storeContract("memory", async () => {
  const store = new MemoryStore();
  return [store, store];
});

imageContract("memory", async (maxImageBytes) => {
  const store = new MemoryStore({ maxImageBytes });
  return [store, store];
});
