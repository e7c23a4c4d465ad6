/** The PostgreSQL store keeps the same promises as the others. */

import { emptyDatabase, openTestDatabase } from "../../src/session/postgres/testing/postgres.ts";
import type { Store } from "../../src/session/store.ts";
import { imageContract } from "../../src/session/testing/image-contract.ts";
import { listContract } from "../../src/session/testing/list-contract.ts";
import { ownerContract } from "../../src/session/testing/owner-contract.ts";
import { peopleContract } from "../../src/session/testing/people-contract.ts";
import { storeContract } from "../../src/session/testing/store-contract.ts";
import { teamContract } from "../../src/session/testing/team-contract.ts";

const both = async (): Promise<[Store, Store]> => {
  const address = await emptyDatabase();
  return [await openTestDatabase(address), await openTestDatabase(address)];
};

storeContract("postgres", both);
ownerContract("postgres", both);
peopleContract("postgres", both);
teamContract("postgres", both);
listContract("postgres", both);

imageContract("postgres", async (maxImageBytes) => {
  const address = await emptyDatabase();
  return [
    await openTestDatabase(address, { maxImageBytes }),
    await openTestDatabase(address, { maxImageBytes }),
  ];
});
