import { expect, it } from 'vitest';
import { defineMcp } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import type { ToolCallOutcome } from '../../shared/ports/tool-servers.ts';
import { ScriptedToolServer } from '../../testing/scripted-tool-server.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { decide, everythingGranted, modelAgent, rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

/** One call to the server, or one question for its tools, that comes to nothing. */
interface Fate {
  readonly at: number;
  readonly how: 'lost' | 'not sent' | 'dead before' | 'dead after' | 'not listed';
}

const ONCE = ['shop_order', 'shop_erase'];
const TURNS = [
  ['shop_price', 'shop_note', 'shop_order'],
  ['shop_erase', 'shop_price'],
];

/** Tools of a server of each effect, and an approval, over a store that breaks. */
async function run(breaking: Breaking, fate?: Fate) {
  const servers = new ScriptedToolServer();
  const reached: string[] = [];
  const answer = (name: string) => (): ToolCallOutcome | Promise<ToolCallOutcome> => {
    const ours = fate?.at === servers.calls.length ? fate.how : undefined;
    if (ours === 'not sent') return { kind: 'not_sent', reason: 'dns' };
    if (ours === 'dead before') return dead(breaking);
    reached.push(`shop_${name}`);
    if (ours === 'dead after') return dead(breaking);
    if (ours === 'lost') return { kind: 'outcome_unknown', reason: 'timeout' };
    return { kind: 'answered', failed: false, content: [{ kind: 'text', text: name }] };
  };
  servers
    .offer({ name: 'price', readOnly: true }, answer('price'))
    .offer({ name: 'note', idempotent: true, destructive: false }, answer('note'))
    .offer({ name: 'order', destructive: false }, answer('order'))
    .offer({ name: 'erase' }, answer('erase'));
  servers.onList = (number) => {
    servers.away = fate?.how === 'not listed' && fate.at === number ? 'http 503' : undefined;
  };
  const model = new ScriptedModel(
    ...TURNS.map((names) => ({ calls: names.map((name) => call(name)) })),
  );
  const mcp = [defineMcp({ name: 'shop', url: 'https://shop.example/mcp' })];
  const agent = modelAgent(model, [], { mcp });
  const ports = { grants: everythingGranted, toolServers: servers };
  const front = new World(agent, ports);
  const worker = new World(agent, {
    ...ports,
    below: front,
    wrap: (below) => breaking.store(below),
  });
  const { taskId } = await front.send('go');
  for (let round = 0; round < 200; round += 1) {
    const row = await rowOf(front, taskId);
    const seen = row.projectedRevision === row.revision;
    if (isEnded(row) && seen) break;
    if (seen && row.status === 'waiting_for_approval') await decide(front, taskId, 'approve');
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { model, reached, servers, row: await rowOf(front, taskId) };
}

function dead(breaking: Breaking): Promise<never> {
  breaking.dead = true;
  return new Promise(() => undefined);
}

function check({ model, reached, row }: Awaited<ReturnType<typeof run>>): string {
  for (const name of ONCE)
    expect(reached.filter((tool) => tool === name).length, name).toBeLessThanOrEqual(1);
  if (row.status === 'failed') return row.reason;
  const results = model.seen.flatMap((entry) => (entry.role === 'tool' ? [entry.name] : []));
  expect(results).toEqual(TURNS.flat());
  return row.status;
}

it('without a loss each call reaches the server once', async () => {
  const whole = await run(new Breaking(0, 'before'));
  expect(check(whole)).toBe('completed');
  expect(whole.reached).toEqual(TURNS.flat());
});

it.each(BREAKS)(
  'a store that breaks at any call (%s) never has a tool of a server run twice that must not',
  async (how: Break) => {
    const whole = new Breaking(0, 'before');
    await run(whole);
    expect(whole.calls).toBeGreaterThan(20);
    await atEachCall(whole, how, async (breaking) =>
      expect(['completed', 'EFFECT_UNKNOWN']).toContain(check(await run(breaking))),
    );
  },
  120_000,
);

it.each<[Fate['how'], readonly string[]]>([
  ['lost', ['EFFECT_UNKNOWN']],
  ['not sent', ['completed']],
  ['dead before', ['EFFECT_UNKNOWN']],
  ['dead after', ['EFFECT_UNKNOWN']],
])(
  'any call that is %s: a tool that must not run twice ends the run only if it may have run',
  async (how, once) => {
    const calls = TURNS.flat();
    for (const [index, name] of calls.entries()) {
      const outcome = await run(new Breaking(0, 'before'), { at: index + 1, how });
      const wanted = ONCE.includes(name) ? once : ['completed'];
      expect(wanted, `${how} at ${name}`).toContain(check(outcome));
    }
  },
);

it('tools that can’t be listed at any step cost no more than the calls of that step', async () => {
  const whole = await run(new Breaking(0, 'before'));
  const asked = whole.servers.asked;
  expect(asked).toBeGreaterThan(5);
  for (let at = 1; at <= asked; at += 1) {
    const outcome = await run(new Breaking(0, 'before'), { at, how: 'not listed' });
    expect(check(outcome), `listing ${at}`).toBe('completed');
  }
});
