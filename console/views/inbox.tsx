import { useData } from '../data.ts';
import { PendingCard } from '../inbox/pending.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page, Section } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Since } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { Inbox } from '../wire.ts';

/** What waits for this operator: decisions with what is asked, and runs that are blocked. */
export function InboxPage() {
  const data = useData<Inbox>('/inbox');
  return (
    <Page title="Inbox">
      <Loaded data={data}>{(inbox) => <Found inbox={inbox} reload={data.reload} />}</Loaded>
    </Page>
  );
}

function Found({ inbox, reload }: { readonly inbox: Inbox; readonly reload: () => void }) {
  const { blocked, decisions, more, sends } = inbox;
  return (
    <>
      {decisions.length === 0 && (
        <Empty title="Nothing waits for your decision.">
          <p>What asks for an approval or for input comes here by itself.</p>
        </Empty>
      )}
      <ul class="stack">
        {decisions.map((pending) => (
          <PendingCard
            key={`${pending.id} ${pending.generation}`}
            pending={pending}
            reload={reload}
          />
        ))}
      </ul>
      {more && <p class="note">More waits than is shown; decide about these first.</p>}
      {sends.length > 0 && (
        <p class="spaced">
          <a href={link('/sends')}>{countWords(sends.length, 'send')} with an unknown outcome</a>
        </p>
      )}
      {blocked.length > 0 && (
        <Section title="Blocked: what they waited for is gone or changed">
          <ul class="lines">
            {blocked.map(({ agent, blocked: { since }, id }) => (
              <li key={id}>
                <ShortId id={id} href={link('/runs', id)} />
                <span>{agent}</span>
                <Status status="blocked" />
                <span class="note push">
                  <Since at={since} />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
