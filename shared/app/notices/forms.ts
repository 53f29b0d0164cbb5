import type { Json } from '../../domain/json.ts';
import type { NoticeForm } from '../../domain/notice.ts';
import { chatText, slackText } from './escaping.ts';
import {
  type Form,
  headlineOf,
  linkOf,
  type Message,
  sentenceOf,
  shortId,
  type Told,
} from './told.ts';

/** Google Chat takes 4,096 bytes of text; the headline and the last line are short. */
const CHAT_BYTES = 3_500;

const json: Form = (message) => ({
  version: 1,
  at: instant(message.at),
  ...(message.console !== undefined && { console: `${message.console}/console` }),
  notices: message.told.map((told) => jsonOf(message, told)),
});

function jsonOf(message: Message, told: Told): Json {
  const { agent, at, content, id, kind, reason, taskId, until } = told;
  const link = linkOf(message, told);
  return {
    id,
    kind,
    agent,
    run: taskId,
    shortId: shortId(taskId),
    since: instant(at),
    ageSeconds: Math.max(0, Math.floor((message.at - at) / 1_000)),
    ...(until !== undefined && { until: instant(until) }),
    ...(reason !== undefined && { reason }),
    ...(link !== undefined && { link }),
    ...(content !== undefined && { content: [...content] }),
  };
}

const slack: Form = (message) => {
  const lines = linesOf(message, slackText, (url) => `<${url}|open>`);
  const text = slackText(headlineOf(message));
  return {
    text,
    unfurl_links: false,
    unfurl_media: false,
    // `verbatim`: what stands in a text is no link and no mention unless it is written as one.
    blocks: lines.map((line) => ({
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: line },
    })),
  };
};

const chat: Form = (message) => {
  const lines = linesOf(message, chatText, (url) => `<${url}|open>`);
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > CHAT_BYTES) break;
    taken.push(line);
  }
  const more = message.told.length - taken.length;
  return { text: [...taken, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n') };
};

function linesOf(
  message: Message,
  escaped: (text: string) => string,
  linked: (url: string) => string,
): readonly string[] {
  return message.told.map((told) => {
    const link = linkOf(message, told);
    const content = (told.content ?? []).map((each) => `\n> ${escaped(each)}`).join('');
    const open = link === undefined ? '' : ` ${linked(link)}`;
    return `${escaped(sentenceOf(told, message.at))}${open}${content}`;
  });
}

const instant = (at: number): string => new Date(at).toISOString();

/** How each form says it; docs/notices.md shows one of each. */
export const FORMS: Readonly<Record<NoticeForm, Form>> = { json, slack, 'google-chat': chat };
