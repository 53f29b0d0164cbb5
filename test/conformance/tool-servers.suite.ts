import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolServer } from '../../shared/domain/tool-server.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import type { ListedTool, ToolServers } from '../../shared/ports/tool-servers.ts';

export interface OpenedShop {
  readonly servers: ToolServers;
  readonly server: ToolServer;
  close(): Promise<void>;
}

/** What an answer of the suite's shop may have, and a call take. */
export const LIMITS = { answerBytes: 100_000, timeout: 60_000 };

/** Any way to a server of tools: the same shop, the same outcomes. */
export function toolServersSuite(name: string, open: () => Promise<OpenedShop>): void {
  describe(`${name}: servers of tools`, () => {
    let opened: OpenedShop;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const tools = async (): Promise<ReadonlyMap<string, ListedTool>> => {
      const listing = await opened.servers.list(opened.server);
      if (listing.kind !== 'tools') throw new Error(listing.reason);
      return new Map(listing.tools.map((tool) => [tool.name, tool]));
    };
    const call = async (tool: string, given: JsonObject = {}, signal?: AbortSignal) => {
      const listed = (await tools()).get(tool) ?? { name: tool, schema: { type: 'object' } };
      return opened.servers.call(opened.server, listed, given, signal);
    };

    test('a listing has names, words, schemas and what the server says of effects', async () => {
      const listed = await tools();
      expect(listed.get('price')).toMatchObject({
        title: 'Price',
        description: 'The price of an article.',
        schema: { type: 'object', properties: { article: { type: 'string' } } },
        readOnly: true,
      });
      expect(listed.get('price')).not.toHaveProperty('destructive');
      expect(listed.get('order')).not.toHaveProperty('readOnly');
      expect(listed.get('note')).toMatchObject({ destructive: false, idempotent: true });
    });

    test('a listing that was just told is not asked for again', async () => {
      const [first, second] = [
        await opened.servers.list(opened.server),
        await opened.servers.list(opened.server),
      ];
      expect(second).toBe(first);
    });

    test('an answer has text and data', async () => {
      expect(await call('price', { article: 'lamp' })).toEqual({
        kind: 'answered',
        failed: false,
        content: [{ kind: 'text', text: '{"cents":4500}' }],
        structured: { cents: 4_500 },
      });
    });

    test('a tool that says it failed has answered', async () => {
      expect(await call('price', { article: 'chair' })).toMatchObject({
        kind: 'answered',
        failed: true,
        content: [{ kind: 'text', text: 'We have no chair.' }],
      });
    });

    test('a tool that throws has answered', async () => {
      expect(await call('throw')).toMatchObject({ kind: 'answered', failed: true });
    });

    test('arguments that do not fit are refused, or answered as a failure', async () => {
      const outcome = await call('order', { article: 5 });
      expect(['refused', 'answered']).toContain(outcome.kind);
      if (outcome.kind === 'answered') expect(outcome.failed).toBe(true);
    });

    test('a tool that is not there is refused, or answered as a failure', async () => {
      const outcome = await call('nothing');
      expect(['refused', 'answered']).toContain(outcome.kind);
      if (outcome.kind === 'answered') expect(outcome.failed).toBe(true);
    });

    test('pictures, links and resources arrive as they were sent', async () => {
      const outcome = await call('picture');
      if (outcome.kind !== 'answered') throw new Error(outcome.reason);
      const [text, image, link, resource] = outcome.content;
      expect(text).toEqual({ kind: 'text', text: 'A lamp.' });
      expect(image).toMatchObject({ kind: 'bytes', mediaType: 'image/png' });
      expect(image?.kind === 'bytes' && Buffer.from(image.raw).toString()).toBe('pixels');
      expect(link).toEqual({
        kind: 'link',
        uri: 'shop://lamp',
        name: 'lamp',
        mediaType: 'text/html',
      });
      expect(resource).toEqual({ kind: 'resource', uri: 'shop://manual', text: 'Turn it on.' });
    });

    test('a call that is given up has an unknown outcome, and the next one an answer', async () => {
      const controller = new AbortController();
      const given = call('hang', {}, controller.signal);
      // The shop answers in order of need: the other call is through, so this one has left.
      await call('note', { article: 'lamp' });
      controller.abort();
      expect(await given).toEqual({ kind: 'outcome_unknown', reason: 'aborted' });
      expect(await call('note', { article: 'lamp' })).toMatchObject({ kind: 'answered' });
    });

    test('a call that is given up before it leaves is not sent', async () => {
      expect(await call('order', { article: 'lamp' }, AbortSignal.abort())).toMatchObject({
        kind: 'not_sent',
      });
    });

    test('calls run side by side', async () => {
      const all = await Promise.all([1, 2, 3].map(() => call('price', { article: 'lamp' })));
      expect(all.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'answered']);
    });

    test('an answer over the limit is not taken, and the server can be asked again', async () => {
      const outcome = await call('big');
      expect(['unusable', 'outcome_unknown']).toContain(outcome.kind);
      expect(outcome).toMatchObject({ reason: expect.stringContaining('too large') });
      await expect
        .poll(async () => (await call('price', { article: 'lamp' })).kind)
        .toBe('answered');
    });
  });
}
