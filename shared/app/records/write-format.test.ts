import { describe, expect, it } from 'vitest';
import { FORMATS, READS } from '../../domain/format.ts';
import { call, ScriptedModel } from '../../../testing/scripted-model.ts';
import { finish, modelAgent } from '../../../test/app/turn-loop-world.ts';
import { World } from '../../../test/app/world.ts';
import { createFormatGate, formatDoc, raiseFormat, reportFormat } from './write-format.ts';

const FUNCTIONS = ['a2a', 'worker', 'projector'];
const toPeer = [call('peer', { message: 'hello' })];

/** A worker among other functions, as deployed. */
function deployed(below?: World) {
  const model = new ScriptedModel({ calls: toPeer }, { text: 'done' });
  const world = new World(modelAgent(model), below === undefined ? {} : { below });
  const { store } = world.app;
  const app = { ...world.app, format: createFormatGate(store) };
  Object.assign(world, { app });
  return { model, store, world };
}

const older = (store: World['app']['store'], name: string) =>
  store.transact(async (tx) => {
    const present = await tx.get(formatDoc);
    tx.set(formatDoc, {
      v: 1,
      writes: FORMATS.base,
      reads: { ...present?.reads, [name]: FORMATS.base },
    });
  });

describe('what may be written', () => {
  it('is everything where no run was ever made: there is no older reader', async () => {
    const { store } = deployed();
    for (const name of FUNCTIONS) await reportFormat(store, name);
    expect(await store.get(formatDoc)).toMatchObject({ writes: READS });
    expect(await createFormatGate(store).allows(FORMATS.delegation)).toBe(true);
  });

  it('is the base where there are rows and no function has reported what it reads', async () => {
    const { store, world } = deployed();
    await world.send('go');
    await reportFormat(store, 'worker');
    expect(await store.get(formatDoc)).toMatchObject({ writes: FORMATS.base });
  });

  it('is raised when every function reads it, and not before; the others are named', async () => {
    const { store } = deployed();
    await older(store, 'projector');
    await reportFormat(store, 'worker');
    expect(await raiseFormat(store, FUNCTIONS)).toEqual({
      kind: 'behind',
      writes: FORMATS.base,
      functions: ['a2a', 'projector'],
    });
    for (const name of FUNCTIONS) await reportFormat(store, name);
    expect(await raiseFormat(store, FUNCTIONS)).toEqual({ kind: 'raised', writes: READS });
    // An older instance that starts late lowers nothing.
    await reportFormat(store, 'worker');
    expect(await store.get(formatDoc)).toMatchObject({ writes: READS });
  });

  it('asks each that has reported, also a service that not every deployment has, until that is gone', async () => {
    const { store } = deployed();
    await older(store, 'grpc');
    for (const name of FUNCTIONS) await reportFormat(store, name);
    const behind = { kind: 'behind', functions: ['grpc'] };
    expect(await raiseFormat(store, FUNCTIONS)).toMatchObject(behind);
    expect(await raiseFormat(store, FUNCTIONS, 'grpc')).toEqual({ kind: 'raised', writes: READS });
    expect((await store.get(formatDoc))?.reads).not.toHaveProperty('grpc');
    // None that must be there is gone by being called so.
    expect(await raiseFormat(store, FUNCTIONS, 'a2a')).toMatchObject({ functions: ['a2a'] });
  });

  it('costs a start one read, and a write when it changed', async () => {
    const { store, world } = deployed();
    await reportFormat(store, 'worker');
    const before = world.backend.peek(formatDoc.path)?.version;
    await reportFormat(store, 'worker');
    expect(world.backend.peek(formatDoc.path)?.version).toBe(before);
  });
});

describe('a delegation', () => {
  it('is not offered before it may be written, and the log says why; a raise is enough', async () => {
    const first = deployed();
    await older(first.store, 'projector');
    await first.world.send('go');
    await finish(first.world);
    const names = (model: ScriptedModel) => model.requests[0]?.tools.map(({ name }) => name);
    expect(names(first.model)).not.toContain('peer');
    expect(names(first.model)).toContain('look');
    expect(first.world.logged).toContainEqual(
      expect.objectContaining({
        event: 'delegation not offered',
        fields: expect.objectContaining({
          why: expect.stringContaining('raise-format') as string,
        }) as unknown,
      }),
    );
    for (const name of FUNCTIONS) await reportFormat(first.store, name);
    await raiseFormat(first.store, FUNCTIONS);
    await first.world.send('again');
    await finish(first.world);
    expect(first.model.requests.at(-1)?.tools.map(({ name }) => name)).toContain('peer');
  });
});
