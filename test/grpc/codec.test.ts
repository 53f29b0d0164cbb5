import {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/domain/json.ts';
import { decode, encode } from '../../shared/grpc/codec.ts';
import { methodAt } from '../../shared/grpc/methods.ts';

// The SDK's messages are compiled from the specification's own proto file: an independent reading
// of every name, number and type in ours.

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
// The SDK loses a member of that name; ours has a test of its own.
const json = (fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>).filter(
  (each) => !JSON.stringify(each).includes('__proto__'),
);
// The SDK loses a null that is all the data of a part.
const data = json.filter((each) => each !== null);
// ProtoJSON leaves out what is the default, so these are not.
const word = text.filter((each) => each !== '' && each !== '__proto__');
const struct = fc.dictionary(word, json, { maxKeys: 3 });
const part = fc.oneof(
  fc.record({ text: word }),
  fc.record({
    raw: fc.uint8Array({ minLength: 1 }).map((raw) => Buffer.from(raw).toString('base64')),
  }),
  fc.record({ url: word }),
  fc.record({ data }),
);
const message = fc.record({
  messageId: word,
  role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  metadata: struct,
  extensions: fc.array(word, { minLength: 1, maxLength: 2 }),
});
const status = fc.record({
  state: fc.constantFrom('TASK_STATE_WORKING', 'TASK_STATE_AUTH_REQUIRED'),
  message,
  // ProtoJSON leaves out milliseconds of zero.
  timestamp: fc
    .integer({ min: 0, max: 200_000_000_000 })
    .map((at) => new Date(at * 1_000 + 7).toISOString()),
});
const artifact = fc.record({
  artifactId: word,
  description: word,
  parts: fc.array(part, { minLength: 1, maxLength: 2 }),
});
const task = fc.record({
  id: word,
  contextId: word,
  status,
  artifacts: fc.array(artifact, { minLength: 1, maxLength: 2 }),
  history: fc.array(message, { minLength: 1, maxLength: 2 }),
  metadata: struct,
});

describe('what we write, the SDK reads as it was', () => {
  test('a task', () => {
    fc.assert(
      fc.property(task, (given) => {
        const bytes = Buffer.from(encode('lf.a2a.v1.Task', given as JsonObject));
        expect(Task.toJSON(A2AService.getTask.responseDeserialize(bytes))).toEqual(given);
        expect(decode('lf.a2a.v1.Task', bytes)).toEqual(given);
      }),
    );
  });

  test.each([
    { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } } },
    {
      artifactUpdate: {
        taskId: 't',
        contextId: 'c',
        artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
        append: true,
        lastChunk: true,
        metadata: { eventId: 7 },
      },
    },
    { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: [1, null, { a: 'b' }] }] } },
  ])('the event %o', (event) => {
    const bytes = Buffer.from(encode('lf.a2a.v1.StreamResponse', event as JsonObject));
    const read = A2AService.subscribeToTask.responseDeserialize(bytes);
    expect(StreamResponse.toJSON(read)).toEqual(event);
  });

  test('a page', () => {
    const page = { tasks: [{ id: 'a' }], nextPageToken: 'n', pageSize: 3, totalSize: 9 };
    const bytes = Buffer.from(encode('lf.a2a.v1.ListTasksResponse', page));
    expect(ListTasksResponse.toJSON(A2AService.listTasks.responseDeserialize(bytes))).toMatchObject(
      page,
    );
  });

  test('a card with every kind of scheme', () => {
    const scopes = { read: 'Reads.' };
    const card = {
      name: 'n',
      description: 'd',
      version: '1',
      documentationUrl: 'https://x.example',
      supportedInterfaces: [
        { url: 'u:1', protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 'agents/n' },
      ],
      provider: { url: 'https://x.example', organization: 'o' },
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 'n', description: 'd', tags: ['t'], examples: ['e'] }],
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: 'header', name: 'x' } },
        bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
        open: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://x.example' } },
        mtls: { mtlsSecurityScheme: { description: 'm' } },
        oauth: {
          oauth2SecurityScheme: {
            flows: { clientCredentials: { tokenUrl: 'https://x.example', scopes } },
          },
        },
      },
      securityRequirements: [{ schemes: { key: { list: ['a'] } } }],
      signatures: [{ protected: 'p', signature: 's' }],
    };
    const bytes = Buffer.from(encode('lf.a2a.v1.AgentCard', card));
    expect(AgentCard.toJSON(A2AService.getExtendedAgentCard.responseDeserialize(bytes))).toEqual(
      card,
    );
  });
});

describe('what the SDK writes, we read as it was', () => {
  test('a send', () => {
    const send = fc.record({
      tenant: word,
      message,
      configuration: fc.record({
        acceptedOutputModes: fc.array(word, { minLength: 1, maxLength: 2 }),
        historyLength: fc.nat(),
        returnImmediately: fc.constant(true),
      }),
      metadata: struct,
    });
    fc.assert(
      fc.property(send, (given) => {
        const bytes = A2AService.sendMessage.requestSerialize(SendMessageRequest.fromJSON(given));
        expect(decode('lf.a2a.v1.SendMessageRequest', bytes)).toEqual(given);
      }),
    );
  });

  test('a question for a list, and what it leaves open', () => {
    const full = {
      tenant: 't',
      contextId: 'c',
      status: 'TASK_STATE_REJECTED',
      pageSize: 5,
      pageToken: 'p',
      historyLength: 0,
      statusTimestampAfter: '2026-01-01T00:00:00.500Z',
      includeArtifacts: false,
    };
    for (const given of [full, {}]) {
      const bytes = A2AService.listTasks.requestSerialize(ListTasksRequest.fromJSON(given));
      expect(decode('lf.a2a.v1.ListTasksRequest', bytes)).toEqual(given);
    }
  });

  test('a push config', () => {
    const given = {
      id: 'i',
      taskId: 't',
      url: 'https://x.example',
      token: 'k',
      authentication: { scheme: 'Bearer', credentials: 'c' },
    };
    const bytes = A2AService.createTaskPushNotificationConfig.requestSerialize(
      TaskPushNotificationConfig.fromJSON(given),
    );
    expect(decode('lf.a2a.v1.TaskPushNotificationConfig', bytes)).toEqual(given);
  });
});

test('every method of the service is here, under its path, with messages that fit', () => {
  for (const method of Object.values(A2AService)) {
    const known = methodAt(method.path);
    expect(known, method.path).toBeDefined();
    const empty = Buffer.alloc(0);
    expect(decode(known?.request ?? '', empty)).toEqual({});
    expect(() =>
      method.responseDeserialize(Buffer.from(encode(known?.response ?? '', {}))),
    ).not.toThrow();
  }
});

test('text that JSON can carry and UTF-8 can not goes out with the replacement character', () => {
  const bytes = encode('lf.a2a.v1.Task', { id: 'a\ud800', metadata: { '\udfff': ['\ud800x'] } });
  expect(decode('lf.a2a.v1.Task', bytes)).toEqual({
    id: 'a\ufffd',
    metadata: { '\ufffd': ['\ufffdx'] },
  });
});

test('a key that is the name of a prototype is a key', () => {
  const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject;
  const read = decode('lf.a2a.v1.Task', encode('lf.a2a.v1.Task', { id: 't', metadata }));
  expect(JSON.stringify(read)).toBe('{"id":"t","metadata":{"__proto__":{"a":1},"constructor":2}}');
  expect(({} as { a?: number }).a).toBeUndefined();
});
