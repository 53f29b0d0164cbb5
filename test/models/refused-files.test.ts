import { describe, expect, it } from 'vitest';
import { asked } from './asking.ts';
import { PROVIDERS } from './providers.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const WITH_PICTURE = [
  { text: 'What is on it?' },
  { raw: PNG, mediaType: 'image/png', filename: 'map.png' },
];
const refusal = (status: number) => ({ status });

/** Those that get a picture of the client as it is. */
const shown = Object.entries(PROVIDERS);

describe.each(shown)('%s', (_name, provider) => {
  it.each([false, true])(
    'that refuses a picture is asked once more without it (streamed: %s)',
    async (stream) => {
      const { server, taskId, world } = await asked(
        provider,
        [refusal(400), { text: 'I can not see it.' }],
        WITH_PICTURE,
        { stream },
      );
      expect(await world.state(taskId)).toBe('COMPLETED');
      const [first, second, ...more] = server.requests.map(({ body }) => JSON.stringify(body));
      expect(more).toEqual([]);
      expect(first).toContain(PNG.toString('base64'));
      expect(second).not.toContain(PNG.toString('base64'));
      expect(second).toContain("[map.png (image/png, 16 bytes): it can't be shown to you]");
      expect(world.logged).toContainEqual(
        expect.objectContaining({ fields: expect.objectContaining({ status: 400 }) }),
      );
    },
  );

  it('that refuses the request without the picture, too, ends the task as a fault of the model', async () => {
    const { server, taskId, world } = await asked(
      provider,
      [refusal(400), refusal(400), { text: 'not reached' }],
      WITH_PICTURE,
    );
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED', fault: 'MODEL_FAULT' },
    });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['a request without files', 400, [{ text: 'go' }]],
    ['a request with files, for another reason', 403, WITH_PICTURE],
  ])('that refuses %s is not asked again', async (_what, status, parts) => {
    const { server, taskId, world } = await asked(provider, [refusal(status)], parts);
    expect(await world.state(taskId)).toBe('FAILED');
    expect(server.requests).toHaveLength(1);
  });
});
