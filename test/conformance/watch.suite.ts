import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Row } from '../../shared/ports/backend.ts';
import type { OpenBackend, OpenedBackend } from './backend.suite.ts';

/** News of one document. */
export function watchSuite(name: string, open: OpenBackend): void {
  describe(`${name}: watch`, () => {
    let opened: OpenedBackend;
    let backend: Backend;
    let other: Backend;
    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
      other = opened.other ?? backend;
    });
    afterAll(() => opened.close());

    const place = () => `runs/${randomUUID()}`;
    const put = (to: Backend, path: string, n: number) =>
      to.commit([], [{ path, fields: { n }, expect: 'any' }]);

    /** A reader that notes what it sees; a waiter for a state is told. */
    function reader(path: string) {
      const controller = new AbortController();
      const seen: unknown[] = [];
      let heard = (): void => undefined;
      const ended = (async () => {
        for await (const row of backend.watch(path, controller.signal)) {
          seen.push(valueOf(row));
          heard();
        }
      })();
      return {
        seen,
        signal: controller.signal,
        ended,
        sees: (value: unknown) =>
          new Promise<void>((resolve) => {
            heard = () => {
              if (seen.at(-1) === value) resolve();
            };
            heard();
          }),
        async stop() {
          controller.abort();
          await ended;
        },
      };
    }
    const valueOf = (row: Row | undefined): unknown => row?.fields['n'];

    test('a reader sees the document at once, and then each state that stays, of any writer', async () => {
      const path = place();
      await put(backend, path, 1);
      const reading = reader(path);
      await reading.sees(1);
      await put(backend, path, 2);
      await reading.sees(2);
      await put(other, path, 3);
      await reading.sees(3);
      await reading.stop();
      // None comes twice, and none out of order.
      expect(reading.seen).toEqual([1, 2, 3]);
    });

    test('a reader of what is not there is told so, and when it comes and goes', async () => {
      const path = place();
      const reading = reader(path);
      await reading.sees(undefined);
      await put(other, path, 1);
      await reading.sees(1);
      await other.commit([], [{ path, fields: undefined, expect: 'any' }]);
      await reading.sees(undefined);
      await reading.stop();
    });

    test('changes of other documents of the collection are no news', async () => {
      const path = place();
      await put(backend, path, 1);
      const reading = reader(path);
      await reading.sees(1);
      for (let n = 0; n < 3; n += 1) await put(other, place(), n);
      await put(backend, path, 2);
      await reading.sees(2);
      await reading.stop();
      expect(reading.seen).toEqual([1, 2]);
    });

    test('a change that comes while the watch begins is seen', async () => {
      for (let round = 0; round < 20; round += 1) {
        const path = place();
        await put(backend, path, 1);
        const reading = reader(path);
        await put(other, path, 2);
        await reading.sees(2);
        await reading.stop();
      }
    });

    test('a watch that ends leaves nothing behind on its signal', async () => {
      const reading = reader(place());
      await reading.sees(undefined);
      await reading.stop();
      expect(getEventListeners(reading.signal, 'abort')).toEqual([]);
    });
  });
}
