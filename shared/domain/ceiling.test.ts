import { describe, expect, it } from 'vitest';
import {
  answerCeiling,
  ARCHIVE_MODES,
  auditCeiling,
  type Ceiling,
  CEILINGS,
  isCeiling,
  keepsFiles,
  whyNoFiles,
  whyNotKept,
} from './ceiling.ts';

const all = CEILINGS.flatMap((installation) =>
  [...CEILINGS, undefined].flatMap((provider) =>
    [...CEILINGS, undefined].map((task) => ({
      installation,
      ...(provider && { provider }),
      ...(task && { task }),
    })),
  ),
);
const rank = (ceiling: Ceiling): number => CEILINGS.indexOf(ceiling);

describe('a ceiling', () => {
  it('is the strictest of all places, but the installation says metadata of audits alone', () => {
    for (const sources of all) {
      const places = Object.values(sources).map(rank);
      expect(rank(auditCeiling(sources))).toBe(Math.min(...places));
      const { installation, provider = 'full', task = 'full' } = sources;
      const own = installation === 'metadata' ? 'full' : installation;
      expect(rank(answerCeiling(sources))).toBe(Math.min(rank(own), rank(provider), rank(task)));
    }
  });

  it('that keeps no result is refused by the places that set it, and by no other (G6)', () => {
    for (const sources of all) {
      const why = whyNotKept(sources);
      const answer = answerCeiling(sources);
      expect(why === undefined, JSON.stringify(sources)).toBe(rank(answer) >= rank('redacted'));
      if (why === undefined) continue;
      const { installation, provider = 'full', task = 'full' } = sources;
      const said = [
        installation === 'none' && 'the installation says none',
        rank(provider) < rank('redacted') && `its provider says ${provider}`,
        rank(task) < rank('redacted') && `the publication itself says ${task}`,
      ];
      expect(why).toContain(`(${said.filter(Boolean).join(', ')})`);
    }
  });

  it('is one of four words', () => {
    expect([...CEILINGS, 'all', '', undefined, 3].filter(isCeiling)).toEqual([...CEILINGS]);
  });
});

it('files are kept with a full answer and an archive in clear, and the refusal names what forbids them', () => {
  for (const answer of CEILINGS)
    for (const archive of ARCHIVE_MODES) {
      const kept = answer === 'full' && archive === 'standard';
      expect(keepsFiles({ answerCeiling: answer, archive })).toBe(kept);
      const why = whyNoFiles(answer, archive);
      if (kept) expect(why).toBeUndefined();
      else if (answer === 'full') expect(why).toContain(`its archive is ${archive}`);
      else expect(why).toContain(`its answers are kept ${answer} at most`);
    }
});
