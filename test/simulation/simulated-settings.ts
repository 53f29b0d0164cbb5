import { defaults, type Settings } from '../../shared/domain/settings.ts';

/**
 * Short spans, so that a schedule is short; their order is that of the real ones. Small sizes, so
 * that limits are met.
 */
export const simulated: Settings = {
  ...defaults,
  lease: 1_600,
  leaseRenewal: 500,
  segment: 3_000,
  runDeadline: 20_000,
  backoff: 100,
  backoffMax: 800,
  progressInterval: 60,
  progressDelay: 10,
  progressBytes: 2_000,
  archiveInterval: 300,
  blockingCap: 1_000,
  inlineContent: 2_048,
  workingSnapshot: 1_024,
  sweepInterval: 800,
  sweepGrace: 200,
  repeatAfter: 400,
  pollInterval: 120,
  pollMin: 40,
  pollMax: 500,
  dependencyDeadline: 800,
  remoteCall: 300,
  // So few that circuits open in many schedules.
  circuitFaults: 2,
  circuitRest: 60,
  circuitRestMax: 200,
  pushTimeout: 200,
  pushBackoff: 60,
  pushBackoffMax: 500,
  filesGrace: 4_000,
  filesOrphans: 5_000,
  transactionDeadline: 900,
};
