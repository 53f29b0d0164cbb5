import { describe, expect, it } from 'vitest';
import { profileTable } from '../profile.ts';
import { readTable } from '../read-table.ts';
import { Turns } from '../turns.ts';
import { isGreeting } from '../reply.ts';
import { summarize } from './summary.ts';

async function summaryOf(text: string, more = 0): Promise<string> {
  const reading = await readTable(text, new Turns());
  if (reading.kind === 'question') throw new Error(reading.question);
  return summarize(await profileTable(reading.table, new Turns()), 'x.csv', more);
}

describe('the final message', () => {
  it.each([
    ['a,n\nAda,\nAda,2\nMei,3', '3 rows and 2 columns; 1 of 6 cells (17%) is missing. Nothing'],
    ['zip,n\n01234,1\n90210,2', 'no cell is missing. 1 column has something to check: zip.'],
    ['name,age\n', 'x.csv has a header of 2 columns and no rows.'],
    ['', 'x.csv is empty.'],
  ])('%j', async (text, words) => {
    expect(await summaryOf(text)).toContain(words);
  });

  it('names the tables that were not looked at', async () => {
    expect(await summaryOf('', 2)).toContain('2 further tables in the message');
  });
});

describe('greetings', () => {
  it('are told from requests', async () => {
    const said = (text: string): boolean =>
      isGreeting({ messageId: 'm', role: 'user', parts: [{ text }] });
    expect(['help', 'Hello!', ' hi ', 'What can you do?'].map(said)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['', 'hello, here is a,b\n1,2', 'help me with x.csv'].map(said)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
