import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { decisionOn, effectsIn, KEEPER } from './approving.ts';
import { BINDINGS, Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf, textOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle({ reruns: true });
let server: Server;
let effects: string;

beforeAll(async () => {
  effects = join(await fleet.folder(), 'effects');
  server = await fleet.start({
    store: 'embedded',
    settings: BRISK,
    args: ['--agents', KEEPER, '--idempotency', 'always'],
    env: { HOLDFAST_E2E_EFFECTS: effects },
  });
});

const effectsOf = async ({ id }: WireTask) =>
  (await effectsIn(effects)).filter((line) => line.includes(id));

describe.each(BINDINGS)('over %s', (binding) => {
  const client = () => new Client(server, oracle, binding);

  test('a run that waits for input is INPUT_REQUIRED with its question, over a crash, and goes on with the answer', async () => {
    const asked = await client().send('choose');
    expect(stateOf(asked)).toBe('INPUT_REQUIRED');
    expect(textOf(asked.status.message)).toBe('How many?');
    expect(JSON.stringify(asked.status.message)).toContain('"count"');
    await server.restart('kill');
    expect(await client().get(asked.id)).toEqual(asked);
    const parts = [{ data: { count: 3 } }];
    const done = await client().send('', { taskId: asked.id, parts });
    expect([stateOf(done), textOf(done.status.message)]).toEqual(['COMPLETED', 'chosen 3']);
  });

  test('one message that needs nothing else is COMPLETED', async () => {
    const done = await client().send('nothing');
    expect([stateOf(done), textOf(done.status.message)]).toEqual(['COMPLETED', 'nothing done']);
  });

  test('a turn is held until it is approved, and by nothing else, with a crash on either side', async () => {
    const asked = await client().send('note');
    expect(stateOf(asked)).toBe('AUTH_REQUIRED');
    // Of the arguments nothing is shown.
    expect(JSON.stringify(asked)).toContain('to note');
    expect(JSON.stringify(asked)).not.toContain('in the arguments');
    await server.restart('kill');
    await expect(client().send('yes, do it', { taskId: asked.id })).rejects.toThrow(
      /plain message never/,
    );
    expect(await client().get(asked.id)).toEqual(asked);
    expect(await effectsOf(asked)).toEqual([]);
    const messageId = `yes-${binding}`;
    const sending = {
      taskId: asked.id,
      messageId,
      parts: [decisionOn(asked, 'approve')],
      ri: true,
    };
    const stored = await client().send('', sending);
    await server.restart('kill');
    // The answer was lost, perhaps; the same message is the same decision.
    const again = await client().send('', sending);
    expect(again.metadata?.['decision']).toEqual(stored.metadata?.['decision']);
    const done = await client().finished(asked.id);
    expect([stateOf(done), textOf(done.status.message)]).toEqual(['COMPLETED', 'note done']);
    // Approved once: it ran for one call, though perhaps again after the crash.
    expect(new Set(await effectsOf(asked)).size).toBe(1);
    // Said once more it counts as said; another word comes too late.
    const late = { ...sending, messageId: `${messageId}-late` };
    const same = await client().send('', late);
    expect(same.metadata?.['decision']).toEqual(stored.metadata?.['decision']);
    const other = { ...late, messageId: `no-${binding}`, parts: [decisionOn(asked, 'deny')] };
    await expect(client().send('', other)).rejects.toMatchObject({
      body: expect.stringMatching(/PAUSE_OVER|UNSUPPORTED_OPERATION/) as string,
    });
    expect(new Set(await effectsOf(asked)).size).toBe(1);
  });

  test('a turn that is declined is not carried out, and the model is told', async () => {
    const asked = await client().send('pay');
    const done = await client().send('', { taskId: asked.id, parts: [decisionOn(asked, 'deny')] });
    expect(textOf(done.status.message)).toContain('declined');
    expect(await effectsOf(asked)).toEqual([]);
  });
});
