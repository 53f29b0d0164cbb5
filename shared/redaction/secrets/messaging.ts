// Slack: https://docs.slack.dev/authentication/tokens and
// .../messaging/sending-messages-using-incoming-webhooks. SendGrid:
// https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys. Twilio:
// https://www.twilio.com/docs/glossary/what-is-a-sid (SK and AC are 2 letters of 32 hexadecimal
// digits, as others might be: only near its name). Telegram:
// https://core.telegram.org/bots/api#authorizing-your-bot. Mailgun:
// https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/api-key-mgmt.
import { lineBefore, matching } from '../matching.ts';
import { tokens } from './tokens.ts';

const SID = /[0-9a-f]{32}(?![0-9A-Za-z])/y;
const nearTwilio = (_token: string, text: string, start: number): boolean =>
  /twilio/i.test(lineBefore(text, start, 80) + text.slice(start, start + 120));
const SLACK = /[A-Za-z0-9-]{10,250}/y;

const find = tokens([
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.', 'xoxo-'].map((prefix) => ({
    prefix,
    rest: SLACK,
    accept: (token: string) => /\d/.test(token),
  })),
  { prefix: 'xapp-', rest: /\d-[A-Za-z0-9-]{20,250}/y },
  {
    prefix: 'https://hooks.slack.com/',
    rest: /(?:services|workflows|triggers)\/[A-Za-z0-9/]{20,200}/y,
  },
  { prefix: 'SG.', rest: /[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/y, word: true },
  { prefix: 'SK', rest: SID, word: true, accept: nearTwilio },
  { prefix: 'AC', rest: SID, word: true, accept: nearTwilio },
  { prefix: 'key-', rest: /[0-9a-f]{32}(?![0-9A-Za-z-])/y, word: true },
]);

const findTelegram = matching('secret', /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g);

export const findMessagingKeys = (text: string) => [...find(text), ...findTelegram(text)];
