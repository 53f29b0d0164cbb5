import { expect, it } from 'vitest';
import { type OperatorAction, withAction } from './operator-action.ts';

it('a row keeps what was done to it newest last, and no more than a hundred of it', () => {
  const act = (at: number): OperatorAction => ({ kind: 'resend', at, operator: new Uint8Array() });
  expect(withAction({}, act(1))).toEqual({ acts: [act(1)] });
  let row: { readonly acts?: readonly OperatorAction[] } = {};
  for (let at = 0; at < 130; at += 1) row = withAction(row, act(at));
  expect(row.acts).toHaveLength(100);
  expect(row.acts?.[0]).toEqual(act(30));
  expect(row.acts?.at(-1)).toEqual(act(129));
});
