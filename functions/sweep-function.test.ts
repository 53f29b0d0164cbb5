import type { HttpFunction } from '@google-cloud/functions-framework';
import { expect, test, vi } from 'vitest';
import type { App } from '../shared/app/app.ts';
import type { Caller } from '../shared/access/verify-caller.ts';
import { Unavailable } from '../shared/ports/faults.ts';
import { World } from '../test/app/world.ts';
import scripted from '../test/fixtures/agents/scripted.ts';
import { sweepFunction } from './sweep-function.ts';

let app: App;
let verify: (() => Promise<Caller>) | undefined;
vi.mock('./environment.ts', () => ({ fromEnvironment: () => Promise.resolve({ app, verify }) }));

type Given = Parameters<HttpFunction>;

async function statusFor(caller: () => Promise<Caller>): Promise<number> {
  const world = new World(scripted);
  ({ app } = world);
  verify = caller;
  let answered = 0;
  const response = {
    status(code: number) {
      answered = code;
      return response;
    },
    json: () => response,
    end: () => response,
  };
  const request: Partial<Given[0]> = { headersDistinct: {} };
  await sweepFunction()(request as Given[0], response as unknown as Given[1]);
  return answered;
}

test.each<[Caller, number]>([
  ['known', 200],
  ['unknown', 401],
  ['refused', 403],
])('the sweeper answers a caller that is %s with %i', async (caller, status) => {
  expect(await statusFor(() => Promise.resolve(caller))).toBe(status);
});

test('a caller that can not be looked at for now is asked to come again', async () => {
  expect(await statusFor(() => Promise.reject(new Unavailable('keys')))).toBe(503);
});
