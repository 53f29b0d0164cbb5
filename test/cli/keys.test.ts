import { describe, expect, it } from 'vitest';
import { approvalWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

const KEY = /hfk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/;

describe('keys', () => {
  it('make shows the key once; the list shows whose it is, and that it is revoked', async () => {
    const made = await approvalWorld();
    expect((await holdfast(made, ['keys'])).out).toMatch(/^no keys/);
    const { exit, out } = await holdfast(made, [
      'keys',
      'make',
      '--owner=ada',
      '--tenant=acme',
      '--label=laptop',
      '--days=2',
    ]);
    expect(exit).toBe(0);
    expect(out).toMatch(KEY);
    const [, id = ''] = /^key +([0-9a-f]{16})$/m.exec(out) ?? [];
    const listed = await holdfast(made, ['keys']);
    expect(listed.out).toMatch(
      new RegExp(`^${id}  ada +acme +valid until 2027-01-17T08:00:00.000Z .*laptop$`, 'm'),
    );
    expect(listed.out).not.toMatch(KEY);
    // Without a terminal it shows what it would do, and the command that does it.
    expect((await holdfast(made, ['keys', 'revoke', id])).exit).not.toBe(0);
    expect((await holdfast(made, ['keys', 'revoke', id, '--yes'])).out).toMatch(/state +revoked/);
    expect((await holdfast(made, ['keys'])).out).toMatch(/revoked 2027-01-15T08:00:00.000Z/);
  });

  it('make answers programs in JSON', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['keys', 'make', '--owner', 'ada', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      key: { owner: 'ada' },
      text: expect.stringMatching(KEY),
    });
  });

  it.each([
    [['keys', 'make'], /--owner is missing/],
    [['keys', 'make', '--owner', 'ada', '--days', 'x'], /--days must be a number/],
    [['keys', 'revoke'], /id of the key is missing/],
    [['keys', 'burn'], /list, make and revoke/],
    [['keys', 'make', '--owner', 'a', '--tenant', 'a/b'], /tenant/],
  ])('%j says what is wrong', async (args, words) => {
    const { error, exit } = await holdfast(await approvalWorld(), args);
    expect(exit).not.toBe(0);
    expect(error).toMatch(words);
  });

  it('is for operators with that right, and says so', async () => {
    const made = await approvalWorld();
    const refused = await holdfast(made, ['keys'], { as: 'not-keys' });
    expect(refused.exit).not.toBe(0);
    expect(refused.error).toMatch(/PERMISSION_DENIED/);
  });
});
