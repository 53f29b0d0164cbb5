import { z } from 'zod';
import { NOTICE_FORMS } from '../domain/notice.ts';
import { component } from './components.ts';
import { instant } from './instant.ts';

export const noticeTarget = component(
  'NoticeTarget',
  z.object({
    name: z.string(),
    form: z.enum(NOTICE_FORMS),
    events: z.array(z.string()).meta({ description: 'the kinds of notices that it is told' }),
    agents: z.array(z.string()).optional().meta({ description: 'absent: all agents' }),
    status: z
      .enum(['idle', 'delivering', 'waiting', 'parked'])
      .meta({ description: '`waiting`: its next attempt has its time; `parked`: it was given up' }),
    left: z.number().int().meta({ description: 'found and not told yet; 1,000 at most' }),
    failures: z.number().int().optional(),
    reason: z.string().optional().meta({ description: 'why its last attempt failed, in a word' }),
    nextAt: instant.optional(),
    parkedSince: instant.optional(),
    toldAt: instant.optional().meta({ description: 'when it last took a message' }),
  }),
);

export const noticeTargetList = component(
  'NoticeTargets',
  z.object({ targets: z.array(noticeTarget) }),
);
