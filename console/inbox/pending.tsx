import { post } from '../api.ts';
import { announce } from '../parts/announce.tsx';
import { Act } from '../parts/act.tsx';
import { ShortId } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Block, Json, Text } from '../parts/text.tsx';
import { Since } from '../parts/time.tsx';
import { link } from '../router.ts';
import type { Inbox } from '../wire.ts';
import { InputForm } from './input-form.tsx';

type Pending = Inbox['decisions'][number];

interface PendingCardProps {
  readonly pending: Pending;
  readonly reload: () => void;
}

/** What a run asks a person, in full, and the answers that it takes. */
export function PendingCard({ pending, reload }: PendingCardProps) {
  const { agent, asked, digest, generation, id, kind, since } = pending;
  // Of this pause and of these calls: should it be another by then, the server refuses.
  const decide = async (more: object): Promise<void> => {
    const pause = { pauseGeneration: generation, ...(digest !== undefined && { digest }) };
    await post(`/runs/${encodeURIComponent(id)}/decisions`, { ...pause, ...more });
    reload();
  };
  return (
    <li class="card pending">
      <header>
        <Status status={`waiting_for_${kind}`} />
        <span>{agent}</span>
        <ShortId id={id} href={link('/runs', id)} />
        <span class="note push">
          waits for <Since at={since} />
        </span>
      </header>
      <Asked asked={asked} />
      {kind === 'input' && asked !== undefined && (
        <InputForm
          schema={asked.schema}
          onInput={async (input) => {
            await decide({ kind: 'input', input });
            announce('The run has its answer.');
          }}
        />
      )}
      {kind === 'input' && asked === undefined && (
        <p class="note">Without the right to see content, answer by the command line.</p>
      )}
      {kind === 'approval' && (
        <footer>
          <Act
            name="Approve…"
            title="Approve this?"
            act="Approve"
            done="Approved."
            primary
            run={() => decide({ kind: 'approve' })}
          >
            <Asked asked={asked} />
          </Act>
          <Act
            name="Deny…"
            title="Deny this?"
            act="Deny"
            done="Denied."
            danger
            run={() => decide({ kind: 'deny' })}
          >
            <p>The run goes on without it.</p>
            <Asked asked={asked} />
          </Act>
        </footer>
      )}
    </li>
  );
}

function Asked({ asked }: Pick<Pending, 'asked'>) {
  if (asked === undefined)
    return <p class="note">You may decide about this, and not see what it is about.</p>;
  return (
    <>
      {asked.words.map((part, at) => (
        <Words key={at} part={part} />
      ))}
      {asked.calls.map((call) => (
        <div key={call.id} class="call">
          <p>
            <code>{call.tool}</code> <Text>{call.summary}</Text>
          </p>
          {call.arguments !== undefined && (
            <Json label={`arguments of ${call.tool}`} value={call.arguments} />
          )}
        </div>
      ))}
    </>
  );
}

/** A part of a message: its text, or what it is as JSON. */
function Words({ part }: { readonly part: unknown }) {
  const text = textIn(part);
  if (text === undefined) return <Json label="part of the question" value={part} />;
  if (text.length > 300 || text.includes('\n')) return <Block label="question">{text}</Block>;
  return (
    <p>
      <Text>{text}</Text>
    </p>
  );
}

function textIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('text' in part)) return undefined;
  return typeof part.text === 'string' ? part.text : undefined;
}
