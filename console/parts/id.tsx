import { useState } from 'preact/hooks';
import { after } from '../browser.ts';

const SHORT = 8;

/** An id by its beginning, whole for the pointer and the screen reader. */
export function ShortId({ href, id }: { readonly id: string; readonly href?: string }) {
  const short = id.length > SHORT + 4 ? `${id.slice(0, SHORT)}…` : id;
  if (href === undefined)
    return (
      <span class="mono" title={id}>
        {short}
      </span>
    );
  return (
    <a class="mono" href={href} title={id} aria-label={id}>
      {short}
    </a>
  );
}

/** An id in full, with a button that copies it; `name`: what it is, where it is better not said. */
export function WholeId({ id, name = id }: { readonly id: string; readonly name?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(id).then(() => {
      setCopied(true);
      after(2_000, () => setCopied(false));
    });
  };
  return (
    <span class="whole-id">
      <code>{id}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy ${name}`}>
        {copied ? 'copied' : 'copy'}
      </button>
    </span>
  );
}
