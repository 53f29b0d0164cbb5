import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Refusal } from '../api.ts';
import type { Data } from '../data.ts';
import { visits } from '../router.ts';
import { useStore } from '../store.ts';

interface PageProps {
  readonly title: string;
  /** Beside the heading: what can be done here. */
  readonly acts?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page: its heading takes the focus when it is gone to, so that a screen reader says so. */
export function Page({ acts, children, title }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const visit = useStore(visits);
  useEffect(() => {
    document.title = `${title} · Holdfast`;
  }, [title]);
  useEffect(() => {
    if (visit > 0) heading.current?.focus({ preventScroll: true });
  }, [visit]);
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {acts !== undefined && <div class="acts">{acts}</div>}
      </header>
      {children}
    </>
  );
}

/** What there is when there is nothing: and what to do about it. */
export function Empty({
  children,
  title,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** What went wrong, in the server's words. */
export function Problem({
  error,
  retry,
}: {
  readonly error: Refusal;
  readonly retry?: () => void;
}) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{error.message}</strong> <code>{error.code}</code>
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A view of data: what it shows, or that it is on its way, or why not. */
export function Loaded<T>({
  children,
  data,
}: {
  readonly data: Data<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { error, reload, value } = data;
  return (
    <>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
    </>
  );
}

/** A part of a page under a heading of its own. */
export function Section({
  children,
  note,
  title,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {note !== undefined && <span class="note">{note}</span>}
      </header>
      {children}
    </section>
  );
}
