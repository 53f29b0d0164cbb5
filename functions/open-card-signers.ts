import type { Signer } from '../shared/ports/signer.ts';
import { BadConfiguration } from './settings.ts';

/** Of a version of a key, as Cloud KMS names it. */
const KEY_VERSION =
  /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;

/**
 * The keys that sign the agent cards: versions of Cloud KMS keys by their full names, or PEM files.
 * What signs with them is loaded where there are any.
 *
 * @throws BadConfiguration for a file that holds no such key.
 */
export async function openCardSigners(
  keys: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Signer[]> {
  const endpoint = environment['HOLDFAST_KMS_ENDPOINT'];
  return Promise.all(
    keys.map(async (key) => {
      if (!KEY_VERSION.test(key)) return signerOf(key);
      const { createKmsSigner } = await import('../shared/gcp/kms/signer.ts');
      return createKmsSigner({ keyVersion: key, ...(endpoint && { endpoint }) });
    }),
  );
}

async function signerOf(file: string): Promise<Signer> {
  const { openFileSigner } = await import('../shared/embedded/file-signer.ts');
  try {
    return openFileSigner(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`--card-signers: ${reason}`);
  }
}
