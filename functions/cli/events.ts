/** One server-sent event. */
export interface Event {
  readonly name: string;
  readonly data: unknown;
  readonly id?: string;
}

/** Events of a stream as they come; comments are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event !== undefined) yield event;
    }
  }
}

function parse(block: string): Event | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, `${fields.has(name) ? `${fields.get(name)}\n` : ''}${value}`);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  const event = { name: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown };
  return id === undefined ? event : { ...event, id };
}
