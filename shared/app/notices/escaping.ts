/** Of what a run says no more than this is shown in one line. */
const LENGTH = 200;

/**
 * Words of a run as one short plain line: no control and direction characters, no line breaks.
 */
export function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length <= LENGTH ? plain : `${characters.slice(0, LENGTH).join('')}…`;
}

/**
 * Both chats make links of bare addresses and mentions of bare names, some of them only in some
 * clients. So nothing is left that could be one: `https[:]//evil[.]example`, `＠channel`.
 */
const harmless = (text: string): string =>
  text
    .replace(/@/g, '＠')
    .replace(/:(?=\/)/g, '[:]')
    .replace(/(?<=[^\s.])\.(?=[^\s.])/g, '[.]')
    .replace(/\b(mailto|tel|slack|sip|sms):/gi, '$1[:]');

/** What Slack gives a meaning in a text is escaped as it asks for: &, < and >. */
export const slackText = (text: string): string =>
  harmless(oneLine(text)).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Google Chat has no escapes: what would begin a link or a mention is another character. */
export const chatText = (text: string): string =>
  harmless(oneLine(text)).replace(/</g, '‹').replace(/>/g, '›');
