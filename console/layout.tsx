import type { ComponentChildren } from 'preact';
import { liveState, outdated } from './live.ts';
import { type PageEntry, PAGES } from './pages.tsx';
import { Announcements } from './parts/announce.tsx';
import { Text } from './parts/text.tsx';
import { link, place } from './router.ts';
import { session, signOut } from './session.ts';
import { useStore } from './store.ts';
import { setTheme, THEMES, theme } from './theme.ts';
import type { Me } from './wire.ts';

const LIVE = {
  connecting: 'connecting…',
  live: 'live',
  polling: 'not live: asks every 10 s',
  away: 'the store is away: this may be old',
} as const;

/** What stands around every page. */
export function Layout({
  children,
  me,
}: {
  readonly me: Me;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="frame">
        <header class="side">
          <a class="brand" href={link('/')}>
            <Logo /> Holdfast
          </a>
          <Navigation me={me} />
          <Around me={me} />
        </header>
        <main id="content" tabIndex={-1}>
          <Outdated />
          {children}
        </main>
      </div>
      <Announcements />
    </>
  );
}

function Navigation({ me }: { readonly me: Me }) {
  const { path } = useStore(place);
  const may = ({ right, title }: PageEntry): boolean =>
    title !== undefined &&
    (right === undefined || me.agents.some((agent) => agent.may.includes(right)));
  return (
    <nav aria-label="Pages">
      <ul>
        {PAGES.filter(may).map(({ path: page, title }) => {
          const here = path === page || (page !== '/' && path.startsWith(`${page}/`));
          return (
            <li key={page}>
              <a href={link(page)} {...(here && { 'aria-current': 'page' as const })}>
                {title}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Around({ me }: { readonly me: Me }) {
  const state = useStore(liveState);
  const token = useStore(session);
  return (
    <div class="around">
      <p class={`live ${state}`} role="status">
        <span aria-hidden="true" class="dot" /> {LIVE[state]}
      </p>
      <ThemeChoice />
      <p class="who">
        <Text>{me.operator}</Text>
        {token !== undefined && (
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        )}
      </p>
    </div>
  );
}

function ThemeChoice() {
  const chosen = useStore(theme);
  return (
    <label class="theme">
      <span class="theme-name">Colours</span>
      <select
        value={chosen}
        onChange={({ currentTarget }) =>
          setTheme(THEMES.find((each) => each === currentTarget.value) ?? 'system')
        }
      >
        <option value="system">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function Outdated() {
  if (!useStore(outdated)) return null;
  return (
    <div class="notice" role="status">
      The server has a newer console.{' '}
      <button type="button" onClick={() => location.reload()}>
        Load it
      </button>
    </div>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" class="logo-ground" />
      <path d="M5 3.5v9M11 3.5v9M5 8h6" class="logo-line" />
    </svg>
  );
}
