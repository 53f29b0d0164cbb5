import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRemote } from './define-remote.ts';
import { defineTool } from './define-tool.ts';

const look = {
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.string().default('here') }),
  effect: 'read',
  run: ({ at }: { at: string }) => at,
} as const;

describe('declaring a tool', () => {
  it('offers what a caller must write, defaults left to us', async () => {
    const tool = defineTool(look);
    expect(tool.parameters).toMatchObject({
      type: 'object',
      properties: { at: { type: 'string', default: 'here' } },
    });
    expect(tool.parameters['required']).toBeUndefined();
    const ready = tool.ready({});
    expect(ready).toMatchObject({ kind: 'ready', approval: false, summary: 'Looks.' });
  });

  it('takes JSON Schema as parameters: the model sees it as it is, and arguments are checked by it', async () => {
    const parameters = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' }, times: { type: 'integer', default: 1 } },
      required: ['at'],
      additionalProperties: false,
      $defs: { place: { type: 'string', minLength: 2 } },
    };
    const tool = defineTool({ ...look, parameters, run: (args) => args });
    expect(tool.parameters).toEqual(parameters);
    expect(tool.ready({ at: 'x' })).toMatchObject({
      kind: 'unfit',
      why: expect.stringContaining('at:') as string,
    });
    expect(tool.ready({ at: 'home', more: 1 })).toMatchObject({ kind: 'unfit' });
    const ready = tool.ready({ at: 'home' });
    const made = ready.kind === 'ready' ? ready.run({} as never) : undefined;
    await expect(made).resolves.toEqual({ at: 'home', times: 1 });
  });

  it('takes what zod made of JSON Schema, without a cast', () => {
    const parameters = z.fromJSONSchema({ type: 'object', properties: { at: { type: 'number' } } });
    const tool = defineTool({ ...look, parameters, run: () => null });
    expect(tool.ready({ at: 'x' })).toMatchObject({ kind: 'unfit' });
  });

  it('everything that is wrong with a declaration is said at once', () => {
    const wrong = { ...look, name: '1 x', description: ' ', effect: 'twice', run: 5 };
    expect(() => defineTool(wrong as never)).toThrow(
      /name must begin.*description is missing.*effect must be one of.*run must be/,
    );
  });

  it.each<[string, object, RegExp]>([
    ['parameters that are no object', { parameters: z.string() }, /parameters must be/],
    [
      'parameters that JSON Schema can not say',
      { parameters: z.object({ f: z.date() }) },
      /parameters can't be used: Date/,
    ],
    ['JSON Schema of no object', { parameters: { type: 'string' } }, /parameters must be/],
    [
      'JSON Schema with what can not be checked',
      { parameters: { type: 'object', not: { required: ['a'] } } },
      /parameters can't be used: not /,
    ],
    [
      'JSON Schema that refers to nothing',
      { parameters: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
      /parameters can't be used/,
    ],
    ['an approval that is neither', { approval: 'yes' }, /approval must be/],
    ['input without a question', { input: { schema: z.string() } }, /input.question/],
    ['input without a schema', { input: { question: '?' } }, /input.schema/],
  ])('%s is refused', (_what, over, words) => {
    expect(() => defineTool({ ...look, ...over } as never)).toThrow(words);
  });
});

describe('declaring a remote', () => {
  const peer = { name: 'peer', description: 'Helps.', card: 'https://peer.example/card' };

  it('takes the defaults of the installation, and an approval for each message', () => {
    expect(defineRemote(peer)).toEqual({
      ...peer,
      pollInterval: 15_000,
      deadline: 3_600_000,
      messageBytes: 1024 * 1024,
      answerBytes: 1024 * 1024,
      approval: true,
      push: false,
    });
  });

  it('is not looked at more often, nor waited for longer, than an installation allows', () => {
    const remote = defineRemote({ ...peer, pollInterval: 1, deadline: 10 ** 12 });
    expect(remote).toMatchObject({ pollInterval: 5_000, deadline: 24 * 3_600_000 });
  });

  it.each<[string, object, RegExp]>([
    ['no URL', { card: 'peer' }, /card must be/],
    ['a URL of a file', { card: 'file:///etc/passwd' }, /card must be/],
    ['a span that is no number', { deadline: Number.NaN }, /deadline must be/],
    ['a span below zero', { pollInterval: -1 }, /pollInterval must be/],
    ['no room for a message', { messageBytes: 0 }, /messageBytes must be/],
    ['a credential without a secret', { credential: { scheme: 'Bearer' } }, /credential needs/],
    ['a pinned key that is none', { signedBy: [{ kty: 'oct', k: 'AA' }] }, /signedBy must be/],
    ['no pinned key', { signedBy: [] }, /signedBy must be/],
    ['a switch that is none', { approval: 'no' }, /approval must be/],
    ['a name that is none', { name: 'the peer' }, /name must begin/],
  ])('%s is refused', (_what, over, words) => {
    expect(() => defineRemote({ ...peer, ...over })).toThrow(words);
  });
});
