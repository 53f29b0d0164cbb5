import type { z } from 'zod';
import type { agentCard, agentPage } from '../shared/operator/agent-schemas.ts';
import type { apiKeyPage, madeApiKey } from '../shared/operator/api-key-schemas.ts';
import type { auditPage } from '../shared/operator/audit-operation.ts';
import type { costResponse } from '../shared/operator/cost-operation.ts';
import type { commitList, fileContent, fileList } from '../shared/operator/file-schemas.ts';
import type { inboxResponse } from '../shared/operator/inbox-schemas.ts';
import type { liveEvents } from '../shared/operator/live-schemas.ts';
import type { me } from '../shared/operator/me-operation.ts';
import type { noticeTargetList } from '../shared/operator/notice-schemas.ts';
import type { remotePage } from '../shared/operator/remote-schemas.ts';
import type { parkedPage } from '../shared/operator/webhook-schemas.ts';
import type { triedEvents } from '../shared/operator/playground-schemas.ts';
import type { runPage, runRow } from '../shared/operator/run-schemas.ts';
import type { scheduleList } from '../shared/operator/schedule-schemas.ts';
import type { statusResponse } from '../shared/operator/status-schemas.ts';
import type { throughputResponse } from '../shared/operator/throughput-operation.ts';
import type { trail } from '../shared/operator/trail-schemas.ts';
import type { secondTry } from '../shared/operator/try-schemas.ts';
import type { timeline } from '../shared/operator/timeline-schemas.ts';

/** Answers of the operators' API as they come: of the very schemas that the server checks. */
export type Me = z.output<typeof me>;
export type Status = z.output<typeof statusResponse>;
export type RunRow = z.output<typeof runRow>;
export type RunPage = z.output<typeof runPage>;
export type Timeline = z.output<typeof timeline>;
export type AgentCard = z.output<typeof agentCard>;
export type Commits = z.output<typeof commitList>;
export type FileContent = z.output<typeof fileContent>;
export type RunFiles = z.output<typeof fileList>;
export type AgentPage = z.output<typeof agentPage>;
export type ApiKeyPage = z.output<typeof apiKeyPage>;
export type MadeApiKey = z.output<typeof madeApiKey>;
export type RemotePage = z.output<typeof remotePage>;
export type ScheduleList = z.output<typeof scheduleList>;
export type ParkedPage = z.output<typeof parkedPage>;
export type NoticeTargets = z.output<typeof noticeTargetList>;
export type AuditPage = z.output<typeof auditPage>;
export type Costs = z.output<typeof costResponse>;
export type Inbox = z.output<typeof inboxResponse>;
/** What a second try of a run would be, or became. */
export type SecondTry = z.output<typeof secondTry>;
export type Throughput = z.output<typeof throughputResponse>;
/** Steps with what they were of, while and after the run. */
export type Trail = z.output<typeof trail>;
export type TriedEvents = z.output<typeof triedEvents>;
export type LiveEvents = z.output<typeof liveEvents>;
