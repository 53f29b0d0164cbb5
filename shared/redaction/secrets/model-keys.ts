// OpenAI: https://platform.openai.com/docs/api-reference/authentication. Anthropic:
// https://docs.claude.com/en/api/overview#authentication. Also Groq
// (https://console.groq.com/docs/quickstart), Perplexity
// (https://docs.perplexity.ai/getting-started/quickstart) and xAI
// (https://docs.x.ai/docs/tutorial).
import { tokens } from './tokens.ts';

// sk- also begins names of style sheets, which have no capitals and rarely digits.
const isDrawn = (token: string): boolean =>
  /\d/.test(token) && /[A-Z]/.test(token) && /[a-z]/.test(token.slice(3));

export const findModelKeys = tokens([
  { prefix: 'sk-', rest: /[A-Za-z0-9_-]{20,300}/y, word: true, accept: isDrawn },
  { prefix: 'gsk_', rest: /[A-Za-z0-9]{40,80}/y, word: true },
  { prefix: 'pplx-', rest: /[A-Za-z0-9]{40,80}/y, word: true },
  { prefix: 'xai-', rest: /[A-Za-z0-9]{60,100}/y, word: true },
]);
