import type { JsonObject } from '../../../shared/agent/index.ts';
import { frame, pieces } from './sse.ts';
import { firstBroken, list, type Memory, type Protocol, text } from './provider-server.ts';

/**
 * The Gemini API's generateContent and streamGenerateContent, for a model of the third generation.
 * Its rules:
 * roles alternate and begin with `user` (https://ai.google.dev/api/caching#Content);
 * a function call turn is followed by as many responses, by name and in order
 * (https://ai.google.dev/gemini-api/docs/function-calling);
 * the first call of each step carries the signature that came with it
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 * A stream is of events with `alt=sse` alone, each of them a response with what is new, and with
 * the tokens until then (https://ai.google.dev/api/generate-content); a call comes whole, in one of
 * them; the last one has the reason, and may hold a signature beside an empty text (the page of
 * signatures). A fault in the middle is an event with `error`
 * (https://ai.google.dev/gemini-api/docs/troubleshooting).
 */
export const gemini: Protocol = {
  path: /\/models\/[^/]+:(?:g|streamG)enerateContent$/,
  key: 'x-goog-api-key',
  refusal({ contents }, seen, url) {
    const streamed = url.pathname.endsWith(':streamGenerateContent');
    const turns = list(contents);
    const roles = turns.map(({ role }) => role);
    const answered = turns.every((turn, at) => isAnswered(turn, turns[at + 1]));
    const asked = turns.every(
      (turn, at) =>
        partsOf(turn, 'functionResponse').length === 0 ||
        partsOf(turns[at - 1], 'functionCall').length > 0,
    );
    const signed = turns.every((turn) => isSigned(turn, seen));
    return firstBroken(
      [!streamed || url.searchParams.get('alt') === 'sse', 'without alt=sse it is no event stream'],
      [roles[0] === 'user', 'the first content must be of the user'],
      [roles.every((role, at) => at === 0 || role !== roles[at - 1]), 'roles must alternate'],
      [answered, 'the number of function response parts must equal that of function call parts'],
      [asked, 'function response turn comes immediately after a function call turn'],
      [signed, 'Function call is missing a thought_signature'],
    );
  },
  answer({ calls = [], finish = 'STOP', text: words, thought }, seen) {
    const parts = [
      ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
      ...(words === undefined ? [] : [{ text: words }]),
      ...calls.map(({ input, name }, at) => {
        const functionCall = { name, args: input as JsonObject };
        if (at > 0) return { functionCall };
        const thoughtSignature = Buffer.from(`signature ${seen.answers}`).toString('base64');
        seen.signed.set(`${name} ${JSON.stringify(input)}`, thoughtSignature);
        return { functionCall, thoughtSignature };
      }),
    ];
    return {
      candidates: [{ content: { role: 'model', parts }, finishReason: finish, index: 0 }],
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 5,
        totalTokenCount: 125,
      },
      modelVersion: 'gemini-3-pro-preview',
    };
  },
  streams: (_body, url) => url.pathname.endsWith(':streamGenerateContent'),
  events(answer) {
    const { candidates, usageMetadata, ...frameOf } = answer;
    const [candidate] = list(candidates);
    const { content, finishReason } = candidate ?? {};
    const parts = list((content as JsonObject)['parts']).flatMap(streamedPart);
    const told = usageMetadata as JsonObject;
    const chunk = (part: JsonObject, more: JsonObject, made: number): string =>
      frame({
        candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }],
        usageMetadata: { ...told, candidatesTokenCount: made },
        ...frameOf,
      });
    const called = parts.some(({ functionCall }) => functionCall !== undefined);
    const last = { text: '', ...(!called && { thoughtSignature: 'bGFzdA==' }) };
    return [
      ...parts.map((part, at) => chunk(part, {}, at)),
      chunk(last, { finishReason: finishReason ?? 'STOP' }, 20),
    ];
  },
  brokenBy: (fault) =>
    frame(
      fault === 'fault'
        ? { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
        : { error: { code: 400, message: 'Bad request.', status: 'INVALID_ARGUMENT' } },
    ),
  tooLong:
    'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

const partsOf = (content: JsonObject | undefined, kind: string): readonly JsonObject[] =>
  list(content?.['parts'] ?? []).flatMap((part) => (part[kind] === undefined ? [] : [part]));

function isAnswered(turn: JsonObject, next: JsonObject | undefined): boolean {
  const names = (parts: readonly JsonObject[], kind: string) =>
    parts.map((part) => text((part[kind] as JsonObject)['name']));
  const called = names(partsOf(turn, 'functionCall'), 'functionCall');
  const answered = names(partsOf(next, 'functionResponse'), 'functionResponse');
  return turn['role'] !== 'model' || called.join() === answered.join();
}

function isSigned(turn: JsonObject, { signed }: Memory): boolean {
  const [first] = partsOf(turn, 'functionCall');
  if (turn['role'] !== 'model' || first === undefined) return true;
  const { args, name } = first['functionCall'] as JsonObject;
  const wanted = signed.get(`${text(name)} ${JSON.stringify(args)}`);
  return wanted !== undefined && first['thoughtSignature'] === wanted;
}

function streamedPart(part: JsonObject): readonly JsonObject[] {
  const { text: words, ...rest } = part;
  if (typeof words !== 'string') return [part];
  return pieces(words).map((piece) => ({ text: piece, ...rest }));
}
