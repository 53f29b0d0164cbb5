import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { now } from '../browser.ts';
import { useData } from '../data.ts';
import { Act } from '../parts/act.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { WholeId } from '../parts/id.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { At } from '../parts/time.tsx';
import type { ApiKeyPage, MadeApiKey } from '../wire.ts';
import { MakeKey } from './make-key.tsx';

type Key = ApiKeyPage['keys'][number];

/** API keys of callers. The text of one is shown when it is made, and kept nowhere. */
export function Keys() {
  const [after, setAfter] = useState<string | undefined>(undefined);
  const query = after === undefined ? '' : `?${new URLSearchParams({ cursor: after }).toString()}`;
  const data = useData<ApiKeyPage>(`/keys${query}`, () => false);
  const [made, setMade] = useState<MadeApiKey | undefined>(undefined);
  const take = (key: MadeApiKey): void => {
    setMade(key);
    setAfter(undefined);
    data.reload();
  };
  return (
    <Page title="API keys" acts={<MakeKey onMade={take} />}>
      {made !== undefined && <Shown made={made} forget={() => setMade(undefined)} />}
      <Loaded data={data}>
        {({ cursor, keys }) => (
          <>
            <KeyTable keys={keys} reload={data.reload} />
            {cursor !== undefined && (
              <p class="spaced">
                <button type="button" onClick={() => setAfter(cursor)}>
                  More keys
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** It goes with this page: the server has no more than a digest of it. */
function Shown({ forget, made }: { readonly made: MadeApiKey; readonly forget: () => void }) {
  return (
    <section class="notice" aria-label="The new key">
      <div>
        <p>
          The key of <Text>{made.key.owner}</Text>. It is shown this once: copy it now.
        </p>
        <WholeId id={made.text} name="the key" />
      </div>
      <button type="button" onClick={forget}>
        I have it
      </button>
    </section>
  );
}

function KeyTable({
  keys,
  reload,
}: {
  readonly keys: readonly Key[];
  readonly reload: () => void;
}) {
  const columns: readonly Column<Key>[] = [
    { key: 'owner', title: 'Owner', cell: ({ owner }) => <Text>{owner}</Text> },
    { key: 'label', title: 'Label', cell: ({ label }) => <Text>{label}</Text>, secondary: true },
    {
      key: 'tenant',
      title: 'Tenant',
      cell: ({ tenant }) => <Text>{tenant}</Text>,
      secondary: true,
    },
    { key: 'made', title: 'Made', cell: ({ createdAt }) => <At at={createdAt} />, secondary: true },
    { key: 'state', title: 'State', cell: (key) => <State of={key} /> },
    { key: 'act', title: 'Act', cell: (key) => <Revoke of={key} reload={reload} /> },
  ];
  if (keys.length === 0)
    return (
      <Empty title="There is no API key.">
        <p>A caller that has one acts as its owner.</p>
      </Empty>
    );
  return (
    <DataTable
      caption="API keys, the newest first"
      columns={columns}
      rows={keys}
      keyOf={({ id }) => id}
    />
  );
}

function State({ of: { expiresAt, revokedAt } }: { readonly of: Key }) {
  if (revokedAt !== undefined) return <span class="status idle">○ revoked</span>;
  if (expiresAt === undefined) return <span class="status good">✓ holds</span>;
  return Date.parse(expiresAt) <= now() ? (
    <span class="status idle">○ expired</span>
  ) : (
    <span class="status good" title={expiresAt}>
      ✓ until {expiresAt.slice(0, 10)}
    </span>
  );
}

function Revoke({ of: key, reload }: { readonly of: Key; readonly reload: () => void }) {
  if (key.revokedAt !== undefined) return null;
  return (
    <Act
      name="Revoke…"
      title={`Revoke this key of ${key.owner}?`}
      act="Revoke"
      done="The key is revoked."
      danger
      run={async () => {
        await post(`/keys/${encodeURIComponent(key.id)}/revoke`, {});
        reload();
      }}
    >
      <p>
        Within seconds it lets no one in, and it can’t be taken back. What it has started goes on.
      </p>
      <p class="note">
        Key <code>{key.id}</code> {key.label !== '' && <Text>{key.label}</Text>}
      </p>
    </Act>
  );
}
