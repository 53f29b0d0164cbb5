import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { detailsOf, request, rpc, say } from '../edge/calls.ts';
import { type Server, useFleet } from './server.ts';

const fleet = useFleet();
const AGENTS = ['--agents', 'test/fixtures/agents/unkept.ts', '--v0.3'];
const run = promisify(execFile);

/** One agent of several, as clients address it. */
const at = ({ url }: Server, agent: string) => ({ url: `${url}/agents/${agent}` });

const v03 = (method: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    message: {
      kind: 'message',
      messageId: 'm',
      role: 'user',
      parts: [{ kind: 'text', text: 'x' }],
    },
  },
});

/**
 * Each way in which a message can be sent, and the code of the JSON-RPC error or of the HTTP status
 * that answers.
 */
async function everySend(served: { readonly url: string }) {
  const old = { 'A2A-Version': '0.3' };
  return [
    await rpc(served, 'SendMessage', say('x')),
    await rpc(served, 'SendMessage', { ...say('x'), configuration: { returnImmediately: true } }),
    await rpc(served, 'SendStreamingMessage', say('x')),
    await request(served, 'POST', '/message:send', say('x')),
    await request(served, 'POST', '/message:stream', say('x')),
    await request(served, 'POST', '/', v03('message/send'), old),
    await request(served, 'POST', '/', v03('message/stream'), old),
  ];
}

async function operate(data: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['functions/cli/main.ts', ...args], {
    env: { ...process.env, HOLDFAST_DATA: data, HOLDFAST_ANSWER_CEILING: 'none' },
  });
  return stdout;
}

describe('an agent whose answers may not be kept', () => {
  test('refuses every send with -32004 RESULT_NOT_STORABLE, and its neighbour is served', async () => {
    const server = await fleet.start({ args: AGENTS });
    expect(server.log.join('\n')).toMatch(/"agent":"private".*agent takes no messages/);
    for (const { body, text } of await everySend(at(server, 'private'))) {
      expect(text).toContain('RESULT_NOT_STORABLE');
      expect(text).not.toContain('secret');
      if (body?.['jsonrpc'] === '2.0') expect(body).toMatchObject({ error: { code: -32004 } });
    }
    const rest = await request(at(server, 'private'), 'POST', '/message:send', say('x'));
    expect(detailsOf(rest.body).reasons).toContain('holdfast/RESULT_NOT_STORABLE');
    const card = await request(at(server, 'private'), 'GET', '/.well-known/agent-card.json');
    expect(card.body).toMatchObject({ name: 'private' });
    const sent = await request(at(server, 'open'), 'POST', '/message:send', say('hello'));
    expect(sent.body).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('with --answer-ceiling none finished tasks are served, no message is taken, and operate works', async () => {
    const data = await fleet.folder();
    const server = await fleet.start({ data, args: AGENTS });
    const sent = await request(at(server, 'open'), 'POST', '/message:send', say('hello'));
    const { id } = (sent.body as { task: { id: string } }).task;
    await server.stop();
    const strict = await fleet.start({ data, args: [...AGENTS, '--answer-ceiling', 'none'] });
    for (const { text } of await everySend(at(strict, 'open')))
      expect(text).toContain('RESULT_NOT_STORABLE');
    const read = await request(at(strict, 'open'), 'GET', `/tasks/${id}`);
    expect(read.body).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(await operate(data, 'tighten', '--answer', 'redacted', '--yes')).toContain(
      '"redacted":1',
    );
    expect(await operate(data, 'purge', id, '--yes')).toContain('purged');
  });
});
