import type { ComponentChildren } from 'preact';
import { Text } from '../parts/text.tsx';
import { countWords } from '../parts/words.ts';
import type { SecondTry } from '../wire.ts';

const BEGINS: Record<NonNullable<SecondTry['beginsWith']>, string> = {
  'no-steps': 'it has no steps to go on from',
  'not-kept': 'what was said in its steps is not kept',
  files: 'its agent has files, which are not taken over',
  'too-many': 'it has more steps than can be taken over',
};

interface TryPreviewProps {
  readonly plan: SecondTry;
  /** What may run again, as it is named so far. */
  readonly again: readonly string[];
  readonly onAgain: (again: readonly string[]) => void;
}

/** What a second try keeps, what it does anew, and what must be named because it runs twice. */
export function TryPreview({ again, onAgain, plan }: TryPreviewProps) {
  const { anew, busy, named, risks, unread } = plan;
  const calls = [...risks, ...named].toSorted((a, b) => a.step - b.step);
  const toggle = (name: string, on: boolean): void =>
    onAgain(on ? [...again, name] : again.filter((each) => each !== name));
  return (
    <>
      <p>A new run of the same context {courseOf(plan)}. This one stays as it is.</p>
      {anew.length > 0 && (
        <details>
          <summary>Done anew: {countWords(anew.length, 'step')}</summary>
          <ul class="changes">
            {anew.map(({ effect, kind, name, step }) => (
              <li key={step}>
                {step}: {kind} {name !== undefined && <code>{name}</code>}
                {effect !== undefined && `, ${effect}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {(calls.length > 0 || unread > 0) && (
        <fieldset class="risks">
          <legend>This must not run twice. Check what may:</legend>
          {calls.map(({ callId, effect, made, name, step }) => (
            <Choice
              key={callId}
              on={again.includes('*') || again.includes(callId)}
              set={(on) => toggle(callId, on)}
            >
              <code>{name ?? 'a call'}</code> <Text>{callId}</Text>, step {step}, {effect}:{' '}
              {made ? 'it ran' : 'it may have run'}
            </Choice>
          ))}
          {unread > 0 && (
            <Choice on={again.includes('*')} set={(on) => toggle('*', on)}>
              Whatever ran in {countWords(unread, 'step')} of which nothing is known
            </Choice>
          )}
        </fieldset>
      )}
      {busy !== undefined && (
        <p class="wrong" role="alert">
          The task <code>{busy}</code> of this context is not finished: nothing begins beside it.
        </p>
      )}
    </>
  );
}

function courseOf({ beginsWith, kept, steps }: SecondTry): string {
  if (beginsWith !== undefined) return `begins from the message: ${BEGINS[beginsWith]}`;
  if (kept === 0) return 'does all of it anew';
  const all = countWords(steps, 'step');
  return `keeps ${kept === steps ? `all ${all}` : `${kept} of ${all}`}, and goes on from there`;
}

interface ChoiceProps {
  readonly on: boolean;
  readonly set: (on: boolean) => void;
  readonly children: ComponentChildren;
}

function Choice({ children, on, set }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
