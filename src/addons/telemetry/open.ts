/** Loads OpenTelemetry if it is configured, and exports sessions as traces and metrics to whichever SDK is set up. */

import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { inTime } from "../../base/async.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { type Redact, redactor } from "../../base/redact.ts";
import type { HearsRequests } from "../../protocol/serving.ts";
import type { Observer } from "../observer.ts";
import { captureFor } from "./content.ts";
import { measuresOf } from "./measures.ts";
import { hearsRequests, type ServingTracing } from "./served-spans.ts";
import { SessionSpans } from "./session-spans.ts";
import { parentIn } from "./trace-parent.ts";
import { Delegating, tracerOf } from "./tracing.ts";
import type { TelemetryApi } from "./tracing.ts";

/** Loading of the module that sets up telemetry, in milliseconds. */
const loadMs = 10_000;
/** Time for exporting telemetry when a run ends, in milliseconds. */
const flushMs = 3_000;

/** Options for opening telemetry. @experimental */
export type TelemetryOptions = {
  /** The module that sets up an SDK, loaded first: an absolute path, or a package name. */
  module?: string | undefined;
  /** Removes secrets from exported contents. */
  redact?: Redact;
  env?: EnvironmentVariables;
  /** Maps our provider names to those of the conventions. */
  providerName?: (provider: string) => string;
  /** Toolwright's version. */
  version?: string;
};

/** Observes sessions and the requests to a model server. */
export type Telemetry = Observer & {
  requests: HearsRequests;
  close(): Promise<void>;
};

const name = "@opentelemetry/api";

/**
 * Exports every observed session to the OpenTelemetry SDK of this process. The problem is one line: what is missing,
 * and what to do. @experimental
 */
export async function openTelemetry(options: TelemetryOptions = {}): Promise<Expected<Telemetry>> {
  const { module } = options;
  const set = module === undefined ? undefined : await problemOfLoading(module);
  if (set !== undefined) return refuse(`There is no telemetry: ${set}`);
  const api = await loadApi(module);
  if (!api) {
    const problem = `There is no telemetry: the package ${name} is not installed. Install it beside Toolwright, or beside the module that --telemetry names.`;
    return refuse(problem);
  }
  if (!hasSdk(api)) {
    const problem =
      "There is no telemetry: no OpenTelemetry SDK is set up. Name a module that does with --telemetry MODULE, or load one with NODE_OPTIONS=--import.";
    return refuse(problem);
  }
  return { ok: true, value: telemetryOf(api, options) };
}

async function problemOfLoading(module: string): Promise<string | undefined> {
  const loading = import(isAbsolute(module) ? pathToFileURL(module).href : module).then(
    () => ({ problem: undefined }),
    (error: unknown) => ({
      problem: `${module} could not be loaded (${error instanceof Error ? error.message.replace(/ imported from .*$|\n.*$/su, "") : String(error)}).`,
    }),
  );
  const late = { problem: `${module} took longer than ${loadMs / 1000} s to load.` };
  return ((await inTime(loading, { ms: loadMs })) ?? late).problem;
}

/** Prefers the API that the module's SDK uses, else the one installed with Toolwright. */
async function loadApi(module: string | undefined): Promise<TelemetryApi | undefined> {
  if (module !== undefined && isAbsolute(module)) {
    const beside = await besideModule(module).catch(() => undefined);
    if (beside) return beside;
  }
  return import("@opentelemetry/api").catch(() => undefined);
}

async function besideModule(module: string): Promise<TelemetryApi> {
  const loaded: TelemetryApi = createRequire(module)(name);
  return loaded;
}

/** Without an SDK the API provides no-op stand-ins. */
const hasSdk = (api: TelemetryApi): boolean =>
  providersOf(api).some((provider) => isObject(provider) && !provider.constructor.name.startsWith("Noop"));

/** The providers that the SDK registered, unwrapped from the API's proxies. */
function providersOf({ trace, metrics }: TelemetryApi): unknown[] {
  const tracing: unknown = trace.getTracerProvider();
  const behind: unknown =
    isObject(tracing) && typeof tracing["getDelegate"] === "function" ? tracing["getDelegate"]() : tracing;
  return [behind, metrics.getMeterProvider()];
}

function telemetryOf(api: TelemetryApi, options: TelemetryOptions): Telemetry {
  const { redact = redactor(), env = {}, providerName = (provider) => provider, version } = options;
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = env;
  const root = parentIn(api, { traceparent, tracestate }, api.context.active());
  const tracing: ServingTracing = {
    ...tracerOf(api, api.trace.getTracer("toolwright", version)),
    measures: measuresOf(api.metrics.getMeter("toolwright", version)),
    redact,
    capture: captureFor(env, redact),
    providerName,
    root,
    continued: (headers) => parentIn(api, headers, root),
    delegating: new Delegating(),
  };
  return {
    session: (about) => new SessionSpans(tracing, about),
    requests: hearsRequests(tracing),
    close: () => flush(api),
  };
}

/** The API has no flush, but every SDK does. */
async function flush(api: TelemetryApi): Promise<void> {
  await inTime(Promise.allSettled(providersOf(api).map(flushProvider)), { ms: flushMs });
}

async function flushProvider(provider: unknown): Promise<void> {
  if (isObject(provider) && typeof provider["forceFlush"] === "function") await provider["forceFlush"]();
}
