import { describe, expect, it } from 'vitest';
import { PackGone } from '../../shared/ports/workspaces.ts';
import { passedOn, obeying, told } from '../app/files-world.ts';
import { World } from '../app/world.ts';
import { Team } from './api.ts';
import { apiOver, approvalWorld, filesWorld } from './worlds.ts';

const paths = (list: unknown) =>
  (list as readonly { readonly path: string }[]).map((one) => one.path);

describe('the files of a run', () => {
  it('are what it left, and what it changed against what was there', async () => {
    const { api, first, taskId } = await filesWorld();
    const { body } = await api.get(`/runs/${taskId}/files`);
    expect(body).toMatchObject({ own: true, more: 0, commit: { author: 'obeying' } });
    expect(paths(body.files)).toEqual(['a.json', 'sub/b.txt', 'sub/d.txt']);
    expect(body.changes).toEqual([
      { path: 'a.json', change: 'changed' },
      { path: 'c.txt', change: 'removed' },
      { path: 'sub/d.txt', change: 'added' },
    ]);
    const before = await api.get(`/runs/${taskId}/files?of=before`);
    expect(paths(before.body.files)).toEqual(['a.json', 'c.txt', 'sub/b.txt']);
    // What the next task begins with, whichever task of the context is asked about.
    const context = await api.get(`/runs/${first}/files?of=context`);
    expect(paths(context.body.files)).toEqual(paths(body.files));
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({ files: { count: 3 } });
  });

  it('are read one by one, as text and as bytes that no browser shows', async () => {
    const { api, taskId } = await filesWorld();
    const read = async (query: string) => (await api.get(`/runs/${taskId}/file?${query}`)).body;
    expect(await read('path=a.json')).toEqual({
      path: 'a.json',
      kind: 'file',
      bytes: 5,
      text: '"two"',
      cut: false,
    });
    expect(await read('path=a.json&of=before')).toMatchObject({ text: '"one"' });
    const raw = await api.raw('GET', `/runs/${taskId}/download?path=sub/d.txt`, 'view');
    expect(await raw.text()).toBe('dee');
    expect(Object.fromEntries(raw.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="d.txt"; filename*=UTF-8''d.txt`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('have commits, the newest first, and the one that the context goes on from', async () => {
    const { api, first, taskId } = await filesWorld();
    const { body } = await api.get(`/runs/${first}/commits`);
    expect(body).toMatchObject({
      commits: [
        { task: taskId, head: true, branch: false, count: 3, author: 'obeying' },
        { task: first, head: false, branch: false, count: 3, parents: [] },
      ],
    });
  });

  it('are shown as text up to a bound, and not at all where they are none', async () => {
    const world = new World(obeying(), { grants: new Team() });
    const long = `${'x'.repeat(256 * 1024 - 1)}é and more`;
    const taskId = await told(world, `write long.txt ${long}\nwrite nul.bin a\u0000b`);
    const api = await apiOver(world);
    const { body } = await api.get(`/runs/${taskId}/file?path=long.txt`);
    // The last character of the bound is half of one.
    expect(body).toMatchObject({ cut: true, text: 'x'.repeat(256 * 1024 - 1) });
    const { body: none } = await api.get(`/runs/${taskId}/file?path=nul.bin`);
    expect(none).toEqual({ path: 'nul.bin', kind: 'file', bytes: 3, cut: false });
  });

  it('are not found where the run has none, the path is none, or the run is gone', async () => {
    const { api, taskId } = await filesWorld();
    const code = async (path: string) => (await api.get(path)).body.error.code;
    expect(await code(`/runs/${taskId}/file?path=sub`)).toBe('FILE_NOT_FOUND');
    expect(await code(`/runs/${taskId}/file?path=..%2Fa.json`)).toBe('FILE_NOT_FOUND');
    expect(await code(`/runs/${taskId}/file`)).toBe('INVALID_PARAMS');
    expect(await code(`/runs/${taskId}/files?of=all`)).toBe('INVALID_PARAMS');
    const other = await approvalWorld();
    const without = await other.api.get(`/runs/${other.taskId}/files`);
    expect(without).toMatchObject({ status: 404, body: { error: { code: 'FILES_NOT_FOUND' } } });
  });

  it('are read again where a pack was replaced meanwhile', async () => {
    let gone = 1;
    const world = new World(obeying(), {
      grants: new Team(),
      wrapWorkspaces: (below) =>
        passedOn(below, {
          look: (...given) => {
            gone -= 1;
            return gone >= 0 ? Promise.reject(new PackGone('a pack')) : below.look(...given);
          },
        }),
    });
    const taskId = await told(world, 'write a.txt one');
    const api = await apiOver(world);
    expect(paths((await api.get(`/runs/${taskId}/files`)).body.files)).toEqual(['a.txt']);
  });
});
