import type { JsonObject } from '../../../shared/agent/index.ts';
import { firstBroken, list, type Memory, type Protocol, text } from './provider-server.ts';

/**
 * The Gemini API's generateContent, for a model of the third generation. Its rules:
 * roles alternate and begin with `user` (https://ai.google.dev/api/caching#Content);
 * a function call turn is followed by as many responses, by name and in order
 * (https://ai.google.dev/gemini-api/docs/function-calling);
 * the first call of each step carries the signature that came with it
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const gemini: Protocol = {
  refusal({ contents }, seen) {
    const turns = list(contents);
    const roles = turns.map(({ role }) => role);
    const answered = turns.every((turn, at) => isAnswered(turn, turns[at + 1]));
    const signed = turns.every((turn) => isSigned(turn, seen));
    return firstBroken(
      [roles[0] === 'user', 'the first content must be of the user'],
      [roles.every((role, at) => at === 0 || role !== roles[at - 1]), 'roles must alternate'],
      [answered, 'the number of function response parts must equal that of function call parts'],
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
