/** Keeping a core: begun once, begun again when it dies, ended for good. */

import { expect, test } from "vitest";
import type { Expected } from "../../../../src/base/expected.ts";
import type { CoreEndpoint } from "./core-process.ts";
import { CoreKeeper } from "./core.ts";

function kept(given: Expected<"core">[] = []) {
  const dies: ((because: string) => void)[] = [];
  const told: string[] = [];
  const begin = async (): Promise<Expected<CoreEndpoint>> => {
    const next = given.shift() ?? { ok: true };
    if (!next.ok) return next;
    const { promise, resolve } = Promise.withResolvers<string>();
    dies.push(resolve);
    const url = `http://127.0.0.1:${dies.length}`;
    return {
      ok: true,
      value: {
        address: { url, token: "t" },
        isOurs: true,
        ended: promise,
        stop: () => told.push(`stopped ${url}`),
      },
    };
  };
  const keeper = new CoreKeeper({
    begin,
    begun: ({ address }) => told.push(`begun ${address.url}`),
    lost: (_, because) => told.push(`lost: ${because}`),
  });
  return { keeper, told, die: (at: number) => dies[at]?.("it was ended by SIGKILL") };
}

const settled = (): Promise<void> => new Promise(setImmediate);

test("everybody who asks at once gets the same core, and nothing begins unasked", async () => {
  const { keeper, told } = kept();
  expect(told).toEqual([]);
  const [one, other] = await Promise.all([keeper.core(), keeper.core()]);
  expect(one).toBe(other);
  expect(await keeper.core()).toBe(one);
  expect(told).toEqual(["begun http://127.0.0.1:1"]);
});

test("a core that died is replaced unasked, but not for ever", async () => {
  const { keeper, told, die } = kept();
  await keeper.core();
  for (const at of [0, 1, 2, 3]) {
    die(at);
    await settled();
  }
  expect(told.filter((line) => line.startsWith("begun"))).toHaveLength(4);
  expect(keeper.running).toBeUndefined();
  expect((await keeper.core()).address.url).toBe("http://127.0.0.1:5");
});

test("a core that does not start is a sentence for everyone who asks", async () => {
  const { keeper } = kept([{ ok: false, problem: "There is no Node 24 here." }]);
  await expect(keeper.core()).rejects.toThrow("There is no Node 24 here.");
  await expect(keeper.core()).rejects.toThrow("There is no Node 24 here.");
});

test("a window that closes ends its core, also one that is just beginning, and none begins afterwards", async () => {
  const { keeper, told, die } = kept();
  const asked = keeper.core();
  keeper.close();
  await expect(asked).rejects.toThrow("The window is closing.");
  die(0);
  await settled();
  expect(told).toEqual(["stopped http://127.0.0.1:1"]);
});
