import { Status } from '../parts/status.tsx';
import { Block, Text } from '../parts/text.tsx';
import { spanWords } from '../parts/words.ts';
import type { Timeline, Trail } from '../wire.ts';
import { entriesOf, type LogEntry } from './entries.ts';

interface RunLogProps {
  readonly run: Timeline;
  readonly trail: Trail | undefined;
}

/** What a run did, in the order of time, beside what its caller saw. */
export function RunLog({ run, trail }: RunLogProps) {
  const entries = entriesOf(run, trail);
  const began = Date.parse(run.createdAt);
  return (
    <div class="table-box plain log" role="region" aria-label="Log of the run" tabIndex={0}>
      <table>
        <caption class="hidden">What the run did, beside what its caller saw</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="numeric">
              After
            </th>
            <th scope="col">What happened</th>
            <th scope="col">Caller saw</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={`${entry.at} ${at}`} class={entry.kind}>
              <td class="mono">{timeOfDay(entry.at)}</td>
              <td class="numeric mono">+{spanWords(entry.at - began)}</td>
              <td>{entry.kind !== 'caller' && <What entry={entry} />}</td>
              <td>{entry.kind === 'caller' && <Status status={entry.words} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function What({ entry: { content, words } }: { readonly entry: LogEntry }) {
  if (content === undefined) return <Text>{words}</Text>;
  return (
    <details>
      <summary>
        <Text>{words}</Text>
      </summary>
      <Block label={`content: ${words}`}>{contentText(content)}</Block>
    </details>
  );
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return JSON.stringify(content, undefined, 2) ?? '';
}

function timeOfDay(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleTimeString('sv')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
