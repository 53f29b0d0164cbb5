import { useEffect } from 'preact/hooks';
import { useData } from './data.ts';
import { Layout } from './layout.tsx';
import { keepLive } from './live.ts';
import { operator } from './me.ts';
import { PAGES } from './pages.tsx';
import { below, link, place } from './router.ts';
import { Empty, Page, Problem } from './parts/page.tsx';
import { session } from './session.ts';
import { useStore } from './store.ts';
import { SignIn } from './views/sign-in.tsx';
import type { Me } from './wire.ts';

/** The page of where the browser is, for an operator who is known; else the way in. */
export function App() {
  const token = useStore(session);
  const me = useData<Me>('/me', () => false);
  const known = me.value !== undefined;
  useEffect(() => operator.set(me.value), [me.value]);
  useEffect(() => {
    if (!known) return undefined;
    const over = new AbortController();
    void keepLive(over.signal);
    return () => over.abort();
  }, [known, token]);
  const { error } = me;
  if (error?.status === 401) return <SignIn />;
  if (me.value === undefined)
    return (
      <main class="alone">
        {error === undefined ? (
          <p role="status">Loading…</p>
        ) : (
          <>
            <h1>Holdfast</h1>
            <Problem error={error} retry={me.reload} />
          </>
        )}
      </main>
    );
  return (
    <Layout me={me.value}>
      <Here />
    </Layout>
  );
}

function Here() {
  const { path } = useStore(place);
  for (const { one: One, path: page, view: View } of PAGES) {
    if (path === page && View !== undefined) return <View />;
    const id = One === undefined ? undefined : below(page, path);
    if (One !== undefined && id !== undefined) return <One key={id} id={id} />;
  }
  return (
    <Page title="There is nothing here">
      <Empty title="This address leads nowhere.">
        <p>
          <a href={link('/')}>Go to the overview</a>
        </p>
      </Empty>
    </Page>
  );
}
