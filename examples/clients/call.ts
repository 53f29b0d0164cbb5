import { randomUUID } from 'node:crypto';
import { type Part, SendMessageRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  type CallInterceptor,
  type Client,
  ClientFactory,
  ClientFactoryOptions,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { z } from 'zod';

/** The bindings that `npm start` serves; the card says where each is. */
const binding = z.enum(['JSONRPC', 'HTTP+JSON', 'GRPC']);
export type Binding = z.infer<typeof binding>;

/** The SDK's client of an agent, which shows an API key with each call, over each binding alike. */
export function connect(url: string, key: string, over: Binding): Promise<Client> {
  const shows: CallInterceptor = {
    before(call) {
      const serviceParameters = { ...call.options?.serviceParameters, 'X-API-Key': key };
      call.options = { ...call.options, serviceParameters };
      return Promise.resolve();
    },
    after: () => Promise.resolve(),
  };
  const { transports, ...defaults } = ClientFactoryOptions.default;
  const factory = new ClientFactory({
    ...defaults,
    transports: [...transports, new GrpcTransportFactory()],
    preferredTransports: [over],
    clientConfig: { interceptors: [shows] },
  });
  return factory.createFromUrl(url);
}

/** Sends words or data, and says in a line each what comes, as it comes. */
export async function* told(client: Client, words: string | object): AsyncGenerator<string> {
  const part = typeof words === 'string' ? { text: words } : { data: words };
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [part] };
  // Over gRPC the SDK wants every field of a request, and `fromJSON` fills them in.
  const request = SendMessageRequest.fromJSON({ message });
  for await (const { payload } of client.sendMessageStream(request)) yield lineOf(payload);
}

function lineOf(payload: StreamResponse['payload']): string {
  switch (payload?.$case) {
    case 'task':
      return `task ${payload.value.id}`;
    case 'artifactUpdate':
      return `artifact ${payload.value.artifact?.name ?? ''}: ${shown(payload.value.artifact?.parts)}`;
    case 'statusUpdate': {
      const { message, state = TaskState.UNRECOGNIZED } = payload.value.status ?? {};
      return `${TaskState[state]} ${shown(message?.parts)}`.trim();
    }
    case 'message':
      return shown(payload.value.parts);
    case undefined:
      return '';
  }
}

const shown = (parts: readonly Part[] = []): string =>
  parts
    .map(({ content }) =>
      content?.$case === 'text' ? content.value : JSON.stringify(content?.value),
    )
    .join(' ');

if (import.meta.main) {
  const [url = 'http://127.0.0.1:8080', words = '', over = 'JSONRPC'] = process.argv.slice(2);
  const client = await connect(url, process.env['KEY'] ?? '', binding.parse(over));
  const sent = words.startsWith('{') ? z.looseObject({}).parse(JSON.parse(words)) : words;
  for await (const line of told(client, sent)) process.stdout.write(`${line}\n`);
}
