// Prints docs/openapi.json:
//   node tools/node24.mjs shared/operator/described.ts > docs/openapi.json && npm run format
import { z } from 'zod';
import { openApi } from './open-api.ts';
import { type Operation, operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

const described = operation({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description (OpenAPI 3.1).',
  right: 'none',
  answer: z.record(z.string(), z.unknown()),
  handle: () => Promise.resolve({ ...description() }),
});

/** Every operation of the API, its description included. */
export const API: readonly Operation[] = [...OPERATIONS, described];

let made: Readonly<Record<string, unknown>> | undefined;

/** Made when it is first asked for. */
export function description(): Readonly<Record<string, unknown>> {
  made ??= openApi(API);
  return made;
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(description(), undefined, 2)}\n`);
