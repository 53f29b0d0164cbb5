import { createWorld } from 'holdfast/testing';
import { beforeEach, expect, it } from 'vitest';
import agent from './agent.ts';
import { ledger } from './ledger.ts';

beforeEach(() => ledger.payments.clear());

const IBAN = 'DE89370400440532013000';
const CLAIM = { what: 'a lamp', euros: 30, iban: IBAN };

it('a claim is paid once another person has approved it, and what is kept has no account', async () => {
  const world = createWorld({ agents: [agent] });
  const ada = world.as('ada');
  const { state, taskId, text } = await ada.send([{ data: CLAIM }]);
  expect(state).toBe('AUTH_REQUIRED');
  expect(text).not.toContain(IBAN);
  expect(await world.operator.inbox()).toMatchObject([
    {
      calls: [
        { summary: '30 euros for a lamp', arguments: { details: { ...CLAIM, claimedBy: 'ada' } } },
      ],
    },
  ]);
  await world.operator.approve(taskId);
  const paid = await ada.get(taskId);
  expect(paid.state).toBe('COMPLETED');
  expect([...ledger.payments.values()]).toEqual([{ iban: IBAN, euros: 30 }]);
  expect(JSON.stringify(paid)).not.toContain(IBAN);
  expect(paid.text).toMatch(/^Paid 30 euros to \[/);
  await world.close();
});

it('an account that was asked for is forgotten, too', async () => {
  const world = createWorld({ agents: [agent] });
  const { state, taskId } = await world.send('I bought a lamp');
  expect(state).toBe('INPUT_REQUIRED');
  await expect(world.answer(taskId, { data: { ...CLAIM, euros: -1 } })).rejects.toThrow('euros');
  await world.answer(taskId, { data: CLAIM });
  await world.operator.approve(taskId);
  expect(JSON.stringify(await world.get(taskId))).not.toContain(IBAN);
  expect(ledger.payments.size).toBe(1);
});

it('no one approves a claim of their own, by whichever door', async () => {
  const world = createWorld({ agents: [agent] });
  // The operator of a world has this name.
  const claimant = world.as('operator');
  const { taskId } = await claimant.send([{ data: CLAIM }]);
  await expect(claimant.approve(taskId)).rejects.toMatchObject({ code: 'DECISION_NOT_ALLOWED' });
  await expect(world.operator.approve(taskId)).rejects.toMatchObject({
    code: 'DECISION_NOT_ALLOWED',
  });
  expect(ledger.payments.size).toBe(0);
});

it('a claim that is declined costs nothing', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send([{ data: CLAIM }]);
  await world.operator.deny(taskId);
  expect((await world.get(taskId)).text).toBe('Not approved; nothing was paid.');
  expect(ledger.payments.size).toBe(0);
});
