import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The commands of the section, one by one; those of a page that was changed are none. */
export async function commandsOf(title: string, page = 'README.md'): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.trim().split(/(?<!\\)\n/));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
