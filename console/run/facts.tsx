import type { ComponentChildren } from 'preact';
import { ShortId, WholeId } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { At, Since, Until } from '../parts/time.tsx';
import { countWords, numberWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { Timeline } from '../wire.ts';

/** Where a run is, and what it used. */
export function Facts({ run }: { readonly run: Timeline }) {
  return (
    <div class="columns">
      <dl class="facts">
        <Fact name="Status">
          <Status status={run.blocked === undefined ? run.status : 'blocked'} />{' '}
          {run.reason !== undefined && <code>{run.reason}</code>} <Waits run={run} />
        </Fact>
        <Fact name="Run">
          <WholeId id={run.id} />
        </Fact>
        <Fact name="Agent">
          <a href={link('/agents', run.agent)}>{run.agent}</a>
        </Fact>
        <Fact name="Context">
          <ShortId id={run.context} href={link('/contexts', run.context)} />
        </Fact>
        {run.origin !== undefined && (
          <Fact name="Made of">
            <ShortId id={run.origin.run} href={link('/runs', run.origin.run)} />,{' '}
            {run.origin.steps === 0
              ? 'from its message'
              : `with ${countWords(run.origin.steps, 'step')} of it`}
          </Fact>
        )}
        {run.triedAs !== undefined && (
          <Fact name="Tried as">
            <ShortId id={run.triedAs} href={link('/runs', run.triedAs)} />
          </Fact>
        )}
        {run.owner !== undefined && (
          <Fact name="Caller">
            {run.owner === '' ? 'anonymous' : <Text>{run.owner}</Text>}
            {run.tenant !== '' && (
              <>
                {' '}
                of <Text>{run.tenant}</Text>
              </>
            )}
          </Fact>
        )}
      </dl>
      <dl class="facts">
        <Fact name="Accepted">
          <At at={run.createdAt} />
        </Fact>
        {run.open && (
          <Fact name="Deadline">
            <At at={run.deadlineAt} />
          </Fact>
        )}
        {run.purgeAt !== undefined && (
          <Fact name="Removed">
            <At at={run.purgeAt} />
          </Fact>
        )}
        <Used run={run} />
        {run.models?.map(({ input, model, output, turns }) => (
          <Fact key={model} name="Model">
            {model}: {countWords(turns, 'turn')}, {numberWords(input)} tokens in,{' '}
            {numberWords(output)} out
          </Fact>
        ))}
      </dl>
    </div>
  );
}

function Fact({ children, name }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Waits({ run: { waitsFor } }: { readonly run: Timeline }) {
  if (waitsFor === undefined) return null;
  return (
    <>
      {waitsFor.remote !== undefined && `for ${waitsFor.remote}, `}for <Since at={waitsFor.since} />
      {waitsFor.until !== undefined && (
        <>
          , <Until at={waitsFor.until} />
        </>
      )}
    </>
  );
}

/** Of what a run may use, what it has used. */
function Used({ run: { limits, spent } }: { readonly run: Timeline }) {
  const names = ['rounds', 'delegations', 'tokens', 'bytes', 'cost'] as const;
  const used = names.flatMap((name) => {
    const [amount, limit] = [spent[name] ?? 0, limits[name]];
    if (amount === 0) return [];
    const of = limit === undefined ? '' : ` of ${numberWords(limit)}`;
    return [`${numberWords(amount)}${of} ${name}`];
  });
  if (used.length === 0) return null;
  return <Fact name="Used">{used.join(', ')}</Fact>;
}
