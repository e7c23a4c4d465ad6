/** A whole gateway for a test, on a real store and a free port, with the model given by the test. */

import { startGateway, type Gateway } from "../../src/gateway/gateway.ts";
import type { Model } from "../../src/providers/provider.ts";
import { testHost, type TestHost, type TestHostOptions } from "../../src/testing/host.ts";

export const token = "a-token-that-only-this-test-knows-0123456789";

export type GatewayPlace = TestHost & {
  gateway: Gateway;
  url: string;
  token: string;
  /** Stops without removing the directory, so that another gateway can continue there. */
  stop: () => Promise<void>;
  end: () => Promise<void>;
};

/** `names`: further host names, such as a proxy's "127.0.0.1:4321". `port`: any free one by default. */
type PlaceOptions = TestHostOptions & { names?: readonly string[]; port?: number };

export async function gatewayPlace(
  model: Model,
  { names = [], port = 0, ...options }: PlaceOptions = {},
): Promise<GatewayPlace> {
  const place = await testHost(model, options);
  const { host } = place;
  const started = await startGateway({
    host,
    token,
    names,
    listen: { host: "127.0.0.1", port },
    version: "0.0.0-test",
  });
  if (!started.ok) throw new Error(started.problem);
  const gateway = started.value;
  const stop = async (): Promise<void> => {
    await gateway.close();
    await place.close();
  };
  const end = async (): Promise<void> => {
    await stop();
    await place.remove();
  };
  return { ...place, gateway, url: gateway.url, token, stop, end };
}
