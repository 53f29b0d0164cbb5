import { Status } from '../parts/status.tsx';
import { Block, Json, Text } from '../parts/text.tsx';
import { numberWords } from '../parts/words.ts';
import type { Line, WirePart } from './conversation.ts';

/** What was said and what came, in its order: text of others as text, and nothing of it loaded. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ol class="conversation" aria-label="Conversation" aria-live="polite">
      {lines.map((line, at) => (
        <li key={at} class={line.kind}>
          {line.kind === 'state' ? (
            <Status status={line.state} />
          ) : (
            <>
              <p class="note">
                <Text>{line.kind === 'artifact' ? line.name : WHO[line.kind]}</Text>
              </p>
              {line.parts.map((part, nth) => (
                <Part key={nth} part={part} label={`${line.kind}, part ${nth + 1}`} />
              ))}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const WHO = { you: 'You', agent: 'Agent' } as const;

function Part({ label, part }: { readonly part: WirePart; readonly label: string }) {
  const { data, filename = 'a file', mediaType, raw, text, url } = part;
  if (text !== undefined) return <Block label={label}>{text}</Block>;
  if (data !== undefined) return <Json label={label} value={data} />;
  const size = raw === undefined ? '' : `, ${numberWords(Math.floor((raw.length * 3) / 4))} bytes`;
  return (
    <p>
      <Text>{`${filename}${mediaType === undefined ? '' : ` (${mediaType})`}${size}`}</Text>{' '}
      {url !== undefined && <Text>{url}</Text>}
    </p>
  );
}
