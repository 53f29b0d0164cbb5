import { describe, expect, it } from 'vitest';
import {
  type Circumstances,
  type EarlierStep,
  type Misfit,
  type Plan,
  planOf,
  type Wanted,
} from './second-try.ts';
import type { Step, ToolCall, Turn } from './step.ts';
import type { CallFact } from './step-facts.ts';

const message = { messageId: 'm', role: 'user', parts: [{ text: 'go' }] } as const;
const answer: Step = { kind: 'answer', generation: 0, message };
const toolCall = (id: string, tool: string): ToolCall => ({ id, tool, arguments: {} });
const turn = (...calls: readonly ToolCall[]): Turn => ({
  kind: 'turn',
  calls,
  digest: 'd',
  artifacts: [],
});
const result = (callId: string, status: 'ok' | 'error' = 'ok'): Step => ({
  kind: 'result',
  callId,
  status,
  value: null,
});
const approved: Step = { kind: 'decision', generation: 1, decision: 'approve', by: 'owner' };
const denied: Step = { ...approved, decision: 'deny' };
const broken: Step = { ...turn(), problem: 'it is no turn', finish: 'malformed' };

const EFFECTS: Readonly<Record<string, string>> = {
  look: 'read',
  note: 'idempotent',
  pay: 'once',
  peer: 'remote',
};

/** As a trail has them: at full with the step, below that with what is known of it. */
function known(steps: readonly Step[], level: 'full' | 'metadata' = 'full'): EarlierStep[] {
  const named = new Map<string, string>();
  return steps.map((step, at) => {
    const about = { number: at + 1, kind: step.kind, ...(level === 'full' && { step }) };
    if (step.kind === 'turn') {
      const calls = step.calls.map(({ id, tool }): CallFact => {
        named.set(id, tool);
        return { callId: id, name: tool, effect: EFFECTS[tool] ?? 'unknown' };
      });
      return { ...about, facts: calls.length > 0 ? { calls } : {} };
    }
    if (step.kind !== 'result') return { ...about, facts: {} };
    const { callId, status } = step;
    const name = named.get(callId) ?? '';
    const calls = [{ callId, name, effect: EFFECTS[name] ?? 'unknown' }];
    const ran = status === 'ok' ? { attempt: 1 } : {};
    return { ...about, facts: { callId, status, calls, ...ran } };
  });
}

const usual: Circumstances = {
  effectOf: (name) => EFFECTS[name],
  neverBegan: () => false,
};

function plan(
  steps: readonly EarlierStep[],
  wanted: Partial<Wanted> = {},
  circumstances: Partial<Circumstances> = {},
): Plan {
  const made = planOf(
    steps,
    { kind: 'retry', again: [], ...wanted },
    { ...usual, ...circumstances },
  );
  if ('field' in made) throw new Error(made.words);
  return made;
}

const keptOf = ({ kept }: Plan): readonly Step[] => kept.map(({ step }) => step);
const idsOf = (calls: Plan['risks']): readonly string[] => calls.map(({ callId }) => callId);

const looked = [answer, turn(toolCall('l', 'look')), result('l')];
const paid = [...looked, turn(toolCall('p', 'pay')), result('p')];

describe('what a retry takes over', () => {
  it('is everything up to the last good step', () => {
    expect(keptOf(plan(known(paid)))).toEqual(paid);
    const kept = known(paid).map(({ facts }, at) => ({ step: paid[at], facts }));
    expect(plan(known(paid))).toStrictEqual({ kept, anew: [], risks: [], named: [] });
  });

  it('is not a turn at the end that could not be used, nor one without calls', () => {
    expect(keptOf(plan(known([...looked, broken, broken])))).toEqual(looked);
    expect(keptOf(plan(known([...looked, turn()])))).toEqual(looked);
  });

  it('is a summary at the end, unless there is none in it', () => {
    const summed: Step = {
      kind: 'summary',
      reason: 'window',
      through: 3,
      until: 3,
      most: 100,
      shortened: false,
      sources: [],
    };
    const good = [...looked, { ...summed, text: 'so far' }];
    expect(keptOf(plan(known(good)))).toEqual(good);
    const failed = [...looked, { ...summed, problem: 'it is no text' }];
    expect(keptOf(plan(known(failed)))).toEqual(looked);
  });

  it('is a turn that could not be used where the model went on after it', () => {
    const steps = [answer, broken, turn(toolCall('l', 'look')), result('l')];
    expect(keptOf(plan(known(steps)))).toEqual(steps);
  });

  it('is not an approval of calls that were not made: it is asked for once more', () => {
    const held = [answer, turn(toolCall('p', 'pay')), approved];
    expect(keptOf(plan(known(held), { again: ['p'] }))).toEqual(held.slice(0, 2));
    const half = [answer, turn(toolCall('p', 'pay'), toolCall('q', 'pay')), approved, result('p')];
    expect(keptOf(plan(known(half), { again: ['q'] }))).toEqual([half[0], half[1], half[3]]);
    const later = [...looked, turn(toolCall('p', 'pay')), approved];
    expect(keptOf(plan(known(later), { again: ['p'] }))).toEqual(later.slice(0, 4));
  });

  it('is an approval of calls that were all made, and every denial', () => {
    const made = [answer, turn(toolCall('p', 'pay')), approved, result('p')];
    expect(keptOf(plan(known(made)))).toEqual(made);
    const no = [answer, turn(toolCall('p', 'pay')), denied];
    expect(keptOf(plan(known(no), {}, { neverBegan: () => true }))).toEqual(no);
  });

  it('is nothing where one step is missing, and it says why', () => {
    expect(plan(known(looked, 'metadata'))).toMatchObject({ kept: [], why: 'not-kept' });
    expect(plan([])).toMatchObject({ kept: [], why: 'no-steps' });
    expect(plan(known(looked), {}, { nothing: 'files' })).toMatchObject({ kept: [], why: 'files' });
  });
});

describe('what must not run twice', () => {
  it('is at risk if it has no result, because it may have begun', () => {
    const steps = known([...looked, turn(toolCall('p', 'pay'), toolCall('q', 'pay'))]);
    const { risks } = plan(steps);
    // Calls are made in their order: the second one never began.
    expect(risks).toEqual([{ callId: 'p', step: 4, name: 'pay', effect: 'once', made: false }]);
    expect(plan(steps, {}, { neverBegan: () => true }).risks).toEqual([]);
  });

  it('is known to have begun or not by whether it was decided about', () => {
    const unlessFresh: Partial<Circumstances> = { neverBegan: (_, fresh) => fresh };
    const held = [...looked, turn(toolCall('p', 'pay'))];
    expect(plan(known(held), {}, unlessFresh).risks).toEqual([]);
    expect(idsOf(plan(known([...held, approved]), {}, unlessFresh).risks)).toEqual(['p']);
  });

  it('is judged by what its tool is declared as now, where its turn does not say', () => {
    const steps = known([answer, turn(toolCall('p', 'pay'))]).map((step) => ({
      ...step,
      facts: {},
    }));
    expect(plan(steps).risks).toMatchObject([{ callId: 'p', name: 'pay', effect: 'once' }]);
    expect(plan(steps, {}, { effectOf: () => 'read' }).risks).toEqual([]);
  });

  it('is a call of which not even the name is known', () => {
    const [asked, called] = known([answer, turn(toolCall('p', 'pay'))], 'metadata');
    if (asked === undefined || called === undefined) throw new Error('two steps');
    const nameless = [asked, { ...called, facts: { calls: [{ callId: 'p' }] } }];
    const risk = { callId: 'p', step: 2, effect: 'unknown', made: false };
    for (const circumstances of [{}, { effectOf: () => 'read' }])
      expect(plan(nameless, {}, circumstances).risks).toStrictEqual([risk]);
    expect(plan([asked, { ...called, facts: {} }]).risks).toEqual([]);
  });

  it('is at risk if its result is not taken over', () => {
    expect(plan(known(paid, 'metadata')).risks).toEqual([
      { callId: 'p', step: 4, name: 'pay', effect: 'once', made: true },
    ]);
  });

  it('is no tool that only reads, or that may run again', () => {
    const steps = [answer, turn(toolCall('l', 'look'), toolCall('n', 'note'))];
    expect(plan(known(steps)).risks).toEqual([]);
    expect(plan(known(steps, 'metadata')).risks).toEqual([]);
  });

  it('is a remote agent, and a tool of which nothing says what it does', () => {
    const remote = known([answer, turn(toolCall('r', 'peer'))]);
    expect(idsOf(plan(remote).risks)).toEqual(['r']);
    const unknown = known([answer, turn(toolCall('u', 'gone'))]);
    expect(plan(unknown).risks).toMatchObject([{ callId: 'u', effect: 'unknown' }]);
  });

  it('is no call that was refused before it began', () => {
    const steps = [answer, turn(toolCall('p', 'pay')), denied, result('p', 'error')];
    expect(plan(known(steps, 'metadata')).risks).toEqual([]);
  });

  it('is one that failed, by the word of a version that did not note whether it began', () => {
    const steps = known([answer, turn(toolCall('p', 'pay')), result('p', 'error')], 'metadata');
    const older = steps.map((step) =>
      step.kind === 'result' ? { ...step, facts: { callId: 'p', status: 'error' } } : step,
    );
    expect(idsOf(plan(older).risks)).toEqual(['p']);
  });

  it('is one that succeeded, whatever is known of how', () => {
    const facts = { callId: 'p', status: 'ok', calls: [{ callId: 'p', effect: 'once' }] };
    const steps = known(paid, 'metadata').map((step) =>
      step.facts.callId === 'p' ? { ...step, facts } : step,
    );
    expect(idsOf(plan(steps).risks)).toEqual(['p']);
  });

  it('stays at risk if another call is named', () => {
    const made = plan(known(paid, 'metadata'), { again: ['q'] });
    expect([idsOf(made.risks), idsOf(made.named)]).toEqual([['p'], []]);
  });

  it('is taken over with its result if only the turn that made it is named', () => {
    expect(keptOf(plan(known(paid), { again: ['4'] }))).toEqual(paid);
  });

  it.each(['p', '4', '*'])('may be named by %s', (name) => {
    const made = plan(known(paid, 'metadata'), { again: [name] });
    expect([idsOf(made.risks), idsOf(made.named)]).toEqual([[], ['p']]);
  });

  it('runs again from its call on, if its result is named', () => {
    for (const again of [['p'], ['5']]) {
      const made = plan(known(paid), { again });
      expect(keptOf(made)).toEqual(paid.slice(0, 4));
      expect(made.anew.map(({ number }) => number)).toEqual([5]);
    }
  });
});

describe('a function that works in steps', () => {
  const threw = [answer, turn(toolCall('1', 'note')), result('1', 'error')];
  const stepwise = { stepwise: true };

  it('does what it threw anew', () => {
    expect(keptOf(plan(known(threw), {}, stepwise))).toEqual(threw.slice(0, 2));
    expect(keptOf(plan(known(threw)))).toEqual(threw);
  });

  it('keeps all where nothing was thrown, and what a fork takes over', () => {
    expect(keptOf(plan(known(looked), {}, stepwise))).toEqual(looked);
    const after = known([...threw, turn(toolCall('2', 'note'))]);
    expect(keptOf(plan(after, { kind: 'fork', from: 4 }, stepwise))).toEqual(threw);
  });

  it('keeps what it went on after', () => {
    const caught = [...threw, turn(toolCall('2', 'note')), result('2')];
    expect(keptOf(plan(known(caught), {}, stepwise))).toEqual(caught);
  });

  it('does it anew also if another branch was not done by then', () => {
    const one = turn(toolCall('1.0.1', 'note'));
    const other = [turn(toolCall('1.1.1', 'note')), result('1.1.1')];
    const steps = [answer, one, result('1.0.1', 'error'), ...other];
    expect(keptOf(plan(known(steps), {}, stepwise))).toEqual([answer, one, ...other]);
  });

  it('is at risk where that must not run twice', () => {
    const paid = [answer, turn(toolCall('1', 'pay')), result('1', 'error')];
    const steps = known(paid).map((step) =>
      step.kind === 'result' ? { ...step, facts: { ...step.facts, attempt: 1 } } : step,
    );
    expect(idsOf(plan(steps, {}, stepwise).risks)).toEqual(['1']);
  });
});

describe('a fork', () => {
  it('takes over what lies before its step, and is at risk of what lies behind', () => {
    const made = plan(known(paid), { kind: 'fork', from: 2 });
    expect(keptOf(made)).toEqual([answer]);
    expect(idsOf(made.risks)).toEqual(['p']);
    expect(plan(known(paid), { kind: 'fork', from: 2, again: ['p'] }).risks).toEqual([]);
  });

  it('goes on with another message in the place of an answer', () => {
    const edit = { ...message, parts: [{ text: 'stop' }] };
    const made = plan(known(looked), { kind: 'fork', from: 1, edit });
    expect(made.kept).toEqual([{ step: { ...answer, message: edit }, facts: {} }]);
  });

  it('begins with nothing from its first step on, unless that says something else', () => {
    expect(keptOf(plan(known(looked), { kind: 'fork', from: 1 }))).toEqual([]);
    const edit = { ...message, parts: [{ text: 'stop' }] };
    expect(keptOf(plan(known(looked), { edit }))).toEqual(looked);
  });

  it.each<[Partial<Wanted>, Misfit['field']]>([
    [{ from: 9 }, 'from'],
    [{ from: 2, edit: message }, 'edit'],
  ])('of %j has none', (wanted, field) => {
    const made = planOf(known(looked), { kind: 'fork', again: [], ...wanted }, usual);
    expect(made).toMatchObject({ field });
  });
});
