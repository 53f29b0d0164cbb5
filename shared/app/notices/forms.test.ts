import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatText, oneLine, slackText } from './escaping.ts';
import { FORMS } from './forms.ts';
import type { Told } from './told.ts';

const HOSTILE = [
  '<!channel> <!here> <@U024BE7LH> <#C024BE7LR> <https://evil.example|harmless>',
  '@channel @here @everyone users/all <users/all> ada@evil.example',
  'https://evil.example/x?a=b&c=d www.evil.example evil.example/login mailto:a@b.example tel:112',
  '&lt;!channel&gt; \u202Egpj.exe \u0000\u001B[31mred\n> quoted\r\n• line',
] as const;

const told: Told = {
  id: 'a'.repeat(40),
  kind: 'approval',
  mark: '1',
  agent: 'asker',
  taskId: '0c4f3fb1-7d52-4f9b-9c57-111111111111',
  at: 1_000_000,
  until: 1_000_000 + 90 * 60_000,
  content: HOSTILE.map(oneLine),
};
const message = { at: 1_000_000 + 5 * 60_000, told: [told], console: 'https://ops.example' };

describe('a message in a chat', () => {
  it.each(['slack', 'google-chat'] as const)(
    'of the form %s has one link, which is ours, and mentions no one, whatever a run says',
    (form) => {
      const text = JSON.stringify(FORMS[form](message));
      const ours = '<https://ops.example/console/runs/0c4f3fb1-7d52-4f9b-9c57-111111111111|open>';
      expect(text.split(ours)).toHaveLength(2);
      const rest = text.replace(ours, '').replaceAll(String.raw`\n> `, ' ');
      expect(rest).not.toMatch(/[<>@]|:\/\/|\w\.\w|\\u(?:202e|0000|001b)/iv);
      expect(text).toContain('asker 0c4f3fb1-7d52 waits for an approval, for 5 min, 1 h left');
    },
  );

  it('never holds a character that begins a link or a mention, for any words of a run', () => {
    const words = fc.string({ unit: 'binary', maxLength: 300 });
    const pieces = fc.constantFrom('<', '>', '&', '@', '!', '://', '.', 'a', ' ', '|', '\u200B');
    const mixed = fc.array(fc.oneof(words, pieces), { maxLength: 20 }).map((all) => all.join(''));
    fc.assert(
      fc.property(mixed, (text) => {
        expect(slackText(text)).not.toMatch(
          /[<>@\n\r]|:\/|&(?!(?:amp|lt|gt);)|[^\s.\[]\.[^\s.\]]/v,
        );
        expect(chatText(text)).not.toMatch(/[<>@\n\r]|:\/|[^\s.\[]\.[^\s.\]]/v);
      }),
    );
  });

  it('of Google Chat stays below its 4,096 bytes and says how many it left out', () => {
    const many = { ...message, told: Array.from({ length: 20 }, () => told) };
    const { text } = FORMS['google-chat'](many) as { readonly text: string };
    expect(Buffer.byteLength(text)).toBeLessThan(4_096);
    expect(text).toMatch(/… and \d+ more$/v);
  });

  it('without a console has no link', () => {
    const { at } = message;
    expect(JSON.stringify(FORMS.slack({ at, told: [told] }))).not.toContain('<');
  });
});
