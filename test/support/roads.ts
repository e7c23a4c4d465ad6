/** For end-to-end tests: connects the command to a scripted server over each of the six formats. */

import { onTestFinished } from "vitest";
import type { Model } from "../../src/providers/provider.ts";
import { serveModel, type ServedModel, type ServeOptions } from "../../src/testing/scripted-server.ts";
import type { Home } from "./command.ts";

type Road = {
  name: string;
  model: string;
  /** The environment variable for the key. */
  keyName: string;
  env(url: string): Record<string, string>;
  /** The vendor's 404 body for an unknown model. */
  unknownModel: unknown;
  /** The vendor's 401 body for an unknown key. */
  refusedKey(key: string): unknown;
};

const openAi = {
  unknownModel: {
    error: {
      message: "The model `gpt-x` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    },
  },
  refusedKey: (key: string) => ({
    error: {
      message: `Incorrect API key provided: ${key}. You can find your API key in your account.`,
      type: "invalid_request_error",
      param: null,
      code: "invalid_api_key",
    },
  }),
};

export const ollamaRoad: Road = {
  name: "Ollama",
  model: "ollama/qwen:1b",
  keyName: "OLLAMA_API_KEY",
  env: (url) => ({ OLLAMA_HOST: url }),
  unknownModel: { error: 'model "qwen:1b" not found, try pulling it first' },
  refusedKey: (key) => ({ error: `unauthorized: ${key}` }),
};

export const roads: readonly Road[] = [
  {
    name: "Anthropic Messages",
    model: "anthropic/claude-x",
    keyName: "ANTHROPIC_API_KEY",
    env: (url) => ({ ANTHROPIC_BASE_URL: url }),
    unknownModel: { type: "error", error: { type: "not_found_error", message: "model: claude-x" } },
    refusedKey: (key) => ({
      type: "error",
      error: { type: "authentication_error", message: `invalid x-api-key: ${key}` },
    }),
  },
  {
    name: "OpenAI Responses",
    model: "openai/gpt-x",
    keyName: "OPENAI_API_KEY",
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1` }),
    ...openAi,
  },
  {
    name: "OpenAI Chat Completions",
    model: "openai-compatible/gpt-x",
    keyName: "OPENAI_COMPATIBLE_API_KEY",
    env: (url) => ({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
    ...openAi,
  },
  {
    name: "Gemini",
    model: "gemini/gemini-x",
    keyName: "GEMINI_API_KEY",
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: `${url}/v1beta` }),
    unknownModel: {
      error: {
        code: 404,
        message:
          "models/gemini-x is not found for API version v1beta, or is not supported for generateContent.",
        status: "NOT_FOUND",
      },
    },
    refusedKey: (key) => ({
      error: { code: 401, message: `API key not valid: ${key}`, status: "UNAUTHENTICATED" },
    }),
  },
  {
    name: "Cohere",
    model: "cohere/command-x",
    keyName: "COHERE_API_KEY",
    env: (url) => ({ CO_API_URL: url }),
    unknownModel: {
      id: "7c8d4b7e-0b7f-4f3a-9a55-0d6b1f0c2f0e",
      message:
        "model 'command-x' not found, make sure the correct model ID was used and that you have access to the model.",
    },
    refusedKey: (key) => ({ id: "5b1f0c2f", message: `invalid api token: ${key}` }),
  },
  ollamaRoad,
];

/** A server that closes when the test is over. */
export async function serve(model: Model, options: ServeOptions = {}): Promise<ServedModel> {
  const served = await serveModel(model, options);
  onTestFinished(() => served.close());
  return served;
}

/** Sets the environment and returns the flags that connect the command to a server. */
export function lead(home: Home, road: Road, url: string, key = "key-for-tests"): string[] {
  Object.assign(home.env, road.env(url), { [road.keyName]: key });
  return ["--model", road.model];
}
