import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { Confirm } from './dialog.tsx';

interface ActProps {
  readonly name: string;
  readonly title: string;
  readonly act: string;
  /** Said when it is done. */
  readonly done: string;
  readonly danger?: boolean;
  readonly primary?: boolean;
  readonly run: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** A button, and the question behind it. */
export function Act({ act, children, danger, done, name, primary, run, title }: ActProps) {
  const [asking, setAsking] = useState(false);
  const look = danger === true ? 'danger' : primary === true ? 'primary' : '';
  return (
    <>
      <button type="button" class={look} onClick={() => setAsking(true)}>
        {name}
      </button>
      {asking && (
        <Confirm
          title={title}
          act={act}
          danger={danger === true}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await run();
            announce(done);
          }}
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
