import { openFileSigner } from '../shared/embedded/file-signer.ts';
import { createKmsSigner } from '../shared/gcp/kms/signer.ts';
import type { Signer } from '../shared/ports/signer.ts';
import { BadConfiguration } from './settings.ts';

/** Of a version of a key, as Cloud KMS names it. */
const KEY_VERSION =
  /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;

/**
 * The keys that sign the agent cards: versions of Cloud KMS keys by their full names, or PEM files.
 *
 * @throws BadConfiguration for a file that holds no such key.
 */
export function openCardSigners(
  keys: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly Signer[] {
  const endpoint = environment['HOLDFAST_KMS_ENDPOINT'];
  return keys.map((key) =>
    KEY_VERSION.test(key)
      ? createKmsSigner({ keyVersion: key, ...(endpoint && { endpoint }) })
      : signerOf(key),
  );
}

function signerOf(file: string): Signer {
  try {
    return openFileSigner(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`--card-signers: ${reason}`);
  }
}
