import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Refusal } from '../api.ts';
import { refusalOf } from '../asking.ts';
import { Problem } from './page.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly act: string;
  readonly danger?: boolean;
  /** As long as what is asked is not whole. */
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
  /** Does it; a Refusal is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done that can't be taken back. Escape and the first button leave it. */
export function Confirm({
  act,
  children,
  danger,
  disabled,
  onClose,
  onConfirm,
  title,
}: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  const [state, setState] = useState<{ busy: boolean; error: Refusal | undefined }>({
    busy: false,
    error: undefined,
  });
  useEffect(() => {
    // It gives the focus back to what had it when it closes.
    dialog.current?.showModal();
  }, []);
  const confirm = (): void => {
    setState({ busy: true, error: undefined });
    onConfirm()
      .then(() => dialog.current?.close())
      .catch((error: unknown) => setState({ busy: false, error: refusalOf(error) }));
  };
  return (
    <dialog ref={dialog} aria-labelledby={name} onClose={onClose}>
      <h2 id={name}>{title}</h2>
      <div class="dialog-body">{children}</div>
      {state.error !== undefined && <Problem error={state.error} />}
      <footer>
        <button type="button" onClick={() => dialog.current?.close()}>
          Leave it
        </button>
        <button
          type="button"
          class={danger === true ? 'danger' : 'primary'}
          disabled={state.busy || disabled === true}
          onClick={confirm}
        >
          {state.busy ? 'Working…' : act}
        </button>
      </footer>
    </dialog>
  );
}
