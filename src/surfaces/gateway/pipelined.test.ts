/** Requests that come on one connection without waiting for the replies: one is worked on at a time. */
import { expect, onTestFinished, test } from "vitest";
import { scripted } from "../../providers/scripted.ts";
import { testGateway } from "../../testing/gateway.ts";
import { testHost } from "../../testing/host.ts";
import { rawConnection } from "../../testing/raw.ts";
