import { describe, expect, test } from 'vitest';
import { Client } from './client.ts';
import { request } from '../edge/calls.ts';
import { Oracle } from './oracle.ts';
import { useFleet } from './server.ts';

const fleet = useFleet();
// The fleet asks for it itself; the last one that is named counts.
const OFF = ['--grpc-port', 'off'];
const start = (...args: readonly string[]) => fleet.start({ store: 'embedded', args });

async function interfacesOf(url: string): Promise<unknown> {
  const { body } = await request({ url }, 'GET', '/.well-known/agent-card.json');
  return body?.['supportedInterfaces'];
}

describe('gRPC of npm start', () => {
  test('is off unless its port is named, and is in no card then', async () => {
    const { grpc, url } = await start(...OFF);
    expect(grpc).toBe('');
    expect(JSON.stringify(await interfacesOf(url))).not.toContain('GRPC');
  });

  test('is named in the card as clients reach it, where that is said', async () => {
    const server = await start('--grpc-url', 'agents.example:443');
    expect(await interfacesOf(server.url)).toContainEqual({
      url: 'agents.example:443',
      protocolBinding: 'GRPC',
      protocolVersion: '1.0',
    });
    const task = await new Client(server, new Oracle(), 'grpc').send('steps=1');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('has an address for the card only where it is served', async () => {
    const lost = start(...OFF, '--grpc-url', 'agents.example:443');
    await expect(lost).rejects.toThrow('--grpc-url needs --grpc-port');
  });

  test('is not named behind an address of which only the operator knows the port', async () => {
    const { url } = await start('--base-url', 'https://agents.example');
    expect(JSON.stringify(await interfacesOf(url))).not.toContain('GRPC');
  });

  test('keeps no server going that can not serve HTTP', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    await expect(start('--port', port)).rejects.toThrow(`port ${port} can't be used`);
  });

  test('says when its own port is taken', async () => {
    const { grpc } = await start();
    const port = grpc.split(':').at(-1) ?? '';
    await expect(start('--grpc-port', port)).rejects.toThrow(`port ${port} can't be used`);
  });
});
