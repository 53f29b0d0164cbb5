import { describe, expect, it } from 'vitest';
import { defineMcp, type McpUrlDeclaration, type Mcp } from '../../shared/agent/index.ts';
import { ScriptedToolServer } from '../../testing/scripted-tool-server.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import {
  decide,
  everythingGranted,
  finish,
  heldOf,
  modelAgent,
  rowOf,
  stepsOf,
} from './turn-loop-world.ts';
import { World } from './world.ts';

const shopOf = (over: Partial<McpUrlDeclaration> = {}): Mcp =>
  defineMcp({ name: 'shop', url: 'https://shop.example/mcp', ...over });

const article = {
  type: 'object',
  properties: { article: { type: 'string' } },
  required: ['article'],
};
const PRICE = {
  name: 'price',
  description: 'The price.',
  schema: article,
  readOnly: true,
} as const;
const ORDER = { name: 'order', description: 'Orders.', schema: article } as const;
const NOTE = { name: 'note', schema: article, destructive: false, idempotent: true } as const;

const answer = (text: string) =>
  ({ kind: 'answered', failed: false, content: [{ kind: 'text', text }] }) as const;

async function asked(
  model: ScriptedModel,
  servers: ScriptedToolServer,
  mcp: readonly Mcp[] = [shopOf()],
) {
  const world = new World(modelAgent(model, [], { mcp }), {
    toolServers: servers,
    grants: everythingGranted,
  });
  const { taskId } = await world.send('go');
  await finish(world);
  return { world, taskId, row: () => rowOf(world, taskId) };
}

const results = (model: ScriptedModel) =>
  model.seen.flatMap((entry) => (entry.role === 'tool' ? [[entry.status, entry.value]] : []));

describe('tools of a server', () => {
  it('are offered under its prefix, with its words and schemas', async () => {
    const model = new ScriptedModel({ text: 'done' });
    await asked(model, new ScriptedToolServer().offer(PRICE));
    expect(model.requests[0]?.tools).toContainEqual({
      name: 'shop_price',
      description: 'The price.',
      parameters: article,
    });
  });

  it('are called, and the model reads the answer', async () => {
    const servers = new ScriptedToolServer().offer(PRICE, answer('45 euros'));
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 'lamp' })] });
    const { row } = await asked(model, servers);
    expect(servers.calls).toEqual([{ tool: 'price', given: { article: 'lamp' } }]);
    expect(results(model)).toEqual([['ok', '45 euros']]);
    expect((await row()).status).toBe('completed');
  });

  it('get no call whose arguments do not fit', async () => {
    const servers = new ScriptedToolServer().offer(PRICE);
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 5 })] });
    await asked(model, servers);
    expect(servers.calls).toEqual([]);
    expect(results(model)).toEqual([['error', { error: expect.stringContaining('do not fit') }]]);
  });

  it('are left to the server to check where a schema is beyond zod', async () => {
    const schema = { type: 'object', properties: { a: { $ref: 'https://else.example/s' } } };
    const servers = new ScriptedToolServer().offer({ ...PRICE, schema });
    const model = new ScriptedModel({ calls: [call('shop_price', { a: 1 })] });
    await asked(model, servers);
    expect(model.requests[0]?.tools).toContainEqual(
      expect.objectContaining({ parameters: schema }),
    );
    expect(servers.calls).toHaveLength(1);
  });

  it('are chosen by allow and deny', async () => {
    const servers = new ScriptedToolServer().offer(PRICE).offer(ORDER).offer(NOTE);
    const names = async (mcp: Mcp) => {
      const model = new ScriptedModel({ text: 'done' });
      await asked(model, servers, [mcp]);
      return model.requests[0]?.tools
        .map(({ name }) => name)
        .filter((name) => name.startsWith('shop'));
    };
    expect(await names(shopOf({ allow: ['price', 'note'] }))).toEqual(['shop_price', 'shop_note']);
    expect(await names(shopOf({ deny: ['price'] }))).toEqual(['shop_order', 'shop_note']);
  });

  it('never take the place of a tool of the agent: its author is told, once a segment', async () => {
    const servers = new ScriptedToolServer()
      .offer({ ...PRICE, name: 'look' })
      .offer({ ...PRICE, name: 'a b' });
    const model = new ScriptedModel({ calls: [call('look', { at: 'x' })] });
    const { world } = await asked(model, servers, [shopOf({ prefix: '' })]);
    expect(servers.calls).toEqual([]);
    const told = world.logged.filter(({ event }) => event === 'agent error');
    expect(told.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ fault: 'ToolNotOffered', tool: 'a b' }),
      expect.objectContaining({ fault: 'ToolNotOffered', tool: 'look' }),
    ]);
  });

  it('change between two turns, and the model sees that', async () => {
    const servers = new ScriptedToolServer();
    servers.offer(PRICE, () => {
      servers.offer(ORDER);
      return answer('new');
    });
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 'lamp' })] });
    await asked(model, servers);
    const offered = model.requests.map(({ tools }) =>
      tools.some(({ name }) => name === 'shop_order'),
    );
    expect(offered).toEqual([false, true]);
  });
});

describe('effects and approvals', () => {
  it.each([
    ['reads only', { readOnly: true }, undefined],
    ['destroys nothing', { destructive: false }, undefined],
    ['can be repeated', { idempotent: true }, 'AUTH_REQUIRED'],
    ['says nothing', {}, 'AUTH_REQUIRED'],
  ])('a tool that %s', async (_says, hints, state) => {
    const servers = new ScriptedToolServer().offer({ ...ORDER, ...hints });
    const model = new ScriptedModel({ calls: [call('shop_order', { article: 'lamp' })] });
    const { taskId, world } = await asked(model, servers);
    expect(await world.state(taskId)).toBe(state ?? 'COMPLETED');
  });

  it('the author overrides what the server says', async () => {
    const servers = new ScriptedToolServer().offer(PRICE).offer(ORDER);
    const overrides = {
      price: { approval: true, summary: () => 'Ask for a price.' },
      order: { approval: false, effect: 'idempotent', description: 'Buys.' },
    } as const;
    const model = new ScriptedModel(
      { calls: [call('shop_order', { article: 'lamp' })] },
      { calls: [call('shop_price', { article: 'lamp' })] },
    );
    const { taskId, world } = await asked(model, servers, [shopOf({ overrides })]);
    expect(servers.calls).toEqual([{ tool: 'order', given: { article: 'lamp' } }]);
    expect(await heldOf(world, taskId)).toMatchObject({
      held: { calls: [{ tool: 'shop_price', summary: 'Ask for a price.' }] },
    });
    expect(model.requests[0]?.tools).toContainEqual(
      expect.objectContaining({ name: 'shop_order', description: 'Buys.' }),
    );
  });

  it('an approved call is made once, and its arguments stay private', async () => {
    const servers = new ScriptedToolServer().offer(ORDER, answer('ordered'));
    const model = new ScriptedModel({ calls: [call('shop_order', { article: 'secret lamp' })] });
    const { row, taskId, world } = await asked(model, servers);
    expect(servers.calls).toEqual([]);
    expect(JSON.stringify(await world.get(taskId))).not.toContain('secret lamp');
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(servers.calls).toEqual([{ tool: 'order', given: { article: 'secret lamp' } }]);
    expect((await row()).status).toBe('completed');
  });

  it.each([
    ['its description', { description: 'Deletes.' }],
    ['its schema', { schema: { type: 'object' } }],
    ['what it says of its effects', { readOnly: true }],
    ['its title', { title: 'Other' }],
  ])('a tool that changed %s while it was held is not called', async (_what, change) => {
    const servers = new ScriptedToolServer().offer(ORDER);
    const lamp = { calls: [call('shop_order', { article: 'lamp' })] };
    const model = new ScriptedModel(lamp);
    const { row, taskId, world } = await asked(model, servers);
    servers.offer({ ...ORDER, ...change });
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(servers.calls).toEqual([]);
    expect(results(model)).toEqual([['error', { error: expect.stringContaining('has changed') }]]);
    expect((await row()).status).toBe('completed');
  });

  it('a changed tool that is called again asks again', async () => {
    const servers = new ScriptedToolServer().offer(ORDER);
    const lamp = { calls: [call('shop_order', { article: 'lamp' })] };
    const { taskId, world } = await asked(new ScriptedModel(lamp, lamp), servers);
    servers.offer({ ...ORDER, description: 'Orders, and pays.' });
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(servers.calls).toEqual([]);
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(servers.calls).toHaveLength(1);
  });
});

describe('a server that misbehaves', () => {
  it('is away: the model is told, and goes on without it', async () => {
    const servers = new ScriptedToolServer().offer(PRICE);
    servers.away = 'connection refused';
    const model = new ScriptedModel({ text: 'done' });
    const { row } = await asked(model, servers);
    expect(model.requests[0]?.instructions).toContain(
      'The server shop is not available (connection refused).',
    );
    expect((await row()).status).toBe('completed');
  });

  it('is away when an approved call is due: that is an error result, and nothing is lost', async () => {
    const servers = new ScriptedToolServer().offer(ORDER);
    const model = new ScriptedModel({ calls: [call('shop_order', { article: 'lamp' })] });
    const { row, taskId, world } = await asked(model, servers);
    servers.away = 'http 503';
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(results(model)).toEqual([
      [
        'error',
        { error: 'The server shop is not available (http 503). The call was not carried out.' },
      ],
    ]);
    expect((await row()).status).toBe('completed');
  });

  it.each(['refused', 'not_sent', 'unusable'] as const)(
    'a call that is %s is an error result, also for a tool that must not run twice',
    async (kind) => {
      const servers = new ScriptedToolServer().offer(
        { ...ORDER, destructive: false },
        { kind, reason: 'because' },
      );
      const model = new ScriptedModel({ calls: [call('shop_order', { article: 'lamp' })] });
      const { row } = await asked(model, servers);
      expect(results(model)).toEqual([['error', { error: expect.stringContaining('because') }]]);
      expect(servers.calls).toHaveLength(1);
      expect((await row()).status).toBe('completed');
    },
  );

  it('a lost answer of a tool that must not run twice ends the run', async () => {
    const servers = new ScriptedToolServer().offer(
      { ...ORDER, destructive: false },
      { kind: 'outcome_unknown', reason: 'timeout' },
    );
    const model = new ScriptedModel({ calls: [call('shop_order', { article: 'lamp' })] });
    const { row } = await asked(model, servers);
    expect(await row()).toMatchObject({ status: 'failed', reason: 'EFFECT_UNKNOWN' });
    expect(servers.calls).toHaveLength(1);
  });

  it.each([PRICE, NOTE])(
    'a lost answer of a tool that may be repeated is an error result',
    async (tool) => {
      const servers = new ScriptedToolServer().offer(tool, {
        kind: 'outcome_unknown',
        reason: 'timeout',
      });
      const model = new ScriptedModel({ calls: [call(`shop_${tool.name}`, { article: 'lamp' })] });
      const { row } = await asked(model, servers);
      expect(results(model)).toEqual([
        ['error', { error: expect.stringContaining('no answer (timeout)') }],
      ]);
      expect((await row()).status).toBe('completed');
    },
  );

  it('a tool that failed says so in its own words', async () => {
    const servers = new ScriptedToolServer().offer(PRICE, {
      ...answer('We have no chair.'),
      failed: true,
    });
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 'chair' })] });
    await asked(model, servers);
    expect(results(model)).toEqual([['error', { error: 'We have no chair.' }]]);
  });

  it('a result over the limit is an error result', async () => {
    const servers = new ScriptedToolServer().offer(PRICE, answer('x'.repeat(1024 * 1024)));
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 'lamp' })] });
    await asked(model, servers);
    expect(results(model)).toEqual([['error', { error: expect.stringContaining('too large') }]]);
  });

  it('data, pictures and links reach the model by name, type and size', async () => {
    const servers = new ScriptedToolServer().offer(PRICE, {
      kind: 'answered',
      failed: false,
      structured: { cents: 4_500 },
      content: [
        { kind: 'text', text: '{ "cents": 4500 }' },
        { kind: 'bytes', mediaType: 'image/png', raw: new Uint8Array(7) },
        { kind: 'link', uri: 'shop://lamp', name: 'lamp' },
        { kind: 'resource', uri: 'shop://manual', text: 'Turn it on.' },
      ],
    });
    const model = new ScriptedModel({ calls: [call('shop_price', { article: 'lamp' })] });
    await asked(model, servers);
    expect(results(model)).toEqual([
      [
        'ok',
        {
          data: { cents: 4_500 },
          content: [
            { mediaType: 'image/png', bytes: 7 },
            { uri: 'shop://lamp', name: 'lamp' },
            { uri: 'shop://manual', text: 'Turn it on.' },
          ],
        },
      ],
    ]);
  });
});

it('a turn keeps the digest of each tool of a server, and none of tools of the agent', async () => {
  const servers = new ScriptedToolServer().offer(ORDER);
  const calls = [call('look', { at: 'x' }), call('shop_order', { article: 'lamp' })];
  const { taskId, world } = await asked(new ScriptedModel({ calls }), servers);
  const turn = (await stepsOf(world, taskId)).find((step) => step.kind === 'turn');
  expect(turn?.kind === 'turn' && turn.calls.map(({ offer }) => offer?.length)).toEqual([
    undefined,
    64,
  ]);
});
