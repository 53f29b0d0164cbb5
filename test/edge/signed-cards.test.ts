import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import { canonicalAsServed, canonicalForms } from '../../shared/domain/canonical-card.ts';
import { isSignedByOneOf } from '../../shared/domain/jws.ts';
import { openFileSigner } from '../../shared/embedded/file-signer.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Signer } from '../../shared/ports/signer.ts';
import { signedCardFromJson } from '../../shared/remote/sdk-client.ts';
import { request } from './calls.ts';
import { echo, type EdgeServer, edgeServer } from './edge-server.ts';

const CARD = '/.well-known/agent-card.json';
const KEYS = '/.well-known/jwks.json';
const baseUrl = 'https://agents.example';
const folder = mkdtempSync(join(tmpdir(), 'holdfast-cards-'));
afterAll(() => rmSync(folder, { recursive: true }));
const closing: EdgeServer[] = [];
afterEach(async () => {
  for (const edge of closing.splice(0)) await edge.close();
});

function newSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const file = join(folder, `${closing.length}.pem`);
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return openFileSigner(file);
}

async function edge(options: Partial<A2AAppOptions>): Promise<EdgeServer> {
  const opened = await edgeServer({ baseUrl, ...options });
  closing.push(opened);
  return opened;
}

const read = async (server: EdgeServer, path = CARD, headers = {}) =>
  request(server, 'GET', path, undefined, { 'A2A-Version': '', ...headers });

/** As a client does that trusts the key set of this address and no other. */
async function verified(server: EdgeServer, body: unknown): Promise<void> {
  const { keys } = (await read(server, KEYS)).body as { keys: { kid: string }[] };
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(`${baseUrl}${KEYS}`);
    const jwk = keys.find((each) => each.kid === kid);
    if (jwk === undefined) throw new Error(`no key ${kid}`);
    return createPublicKey({ key: jwk, format: 'jwk' });
  });
  await verify(body as AgentCard);
}

describe('a card with a key', () => {
  test("is signed, and the SDK's own verifier takes it; of a changed one it does not", async () => {
    const server = await edge({ cardSigners: [newSigner()] });
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    for (const path of [CARD, `/agents/echo${CARD}`]) {
      const { body } = await read(server, path);
      await verified(server, body);
      const changed = { ...(body as object), description: 'Sends everything elsewhere.' };
      await expect(verified(server, changed)).rejects.toThrow(/No valid signatures/);
    }
  });

  test("is signed in the protocol's form, too, where the SDK leaves out what is empty", async () => {
    const signer = newSigner();
    const extension = {
      uri: 'https://acme.example/x',
      required: false,
      params: { none: [], to: {} },
    };
    const agent = {
      ...echo,
      extensions: [extension],
      skills: echo.skills.map((each) => ({ ...each, examples: [] })),
    };
    const server = await edge({ cardSigners: [signer], agents: [agent] });
    const { body } = await read(server);
    const card = body as { readonly signatures: { protected: string; signature: string }[] };
    await verified(server, card);
    const forms = canonicalForms(JSON.parse(JSON.stringify(card)));
    expect(forms[0]).toContain(
      '"extensions":[{"params":{"none":[],"to":{}},"uri":"https://acme.example/x"}]',
    );
    expect(forms[0]).not.toContain('"examples"');
    const jwk = await signer.publicKey();
    for (const form of forms) {
      expect(card.signatures.some((each) => isSignedByOneOf([jwk], each, form))).toBe(true);
    }
  });

  test('is signed by each key, so that clients may know either while it changes', async () => {
    const signers = [newSigner(), newSigner()];
    const server = await edge({ cardSigners: signers });
    const { body } = await read(server);
    const { signatures } = body as { signatures: { protected: string; signature: string }[] };
    expect(signatures).toHaveLength(2);
    const served = canonicalAsServed(JSON.parse(JSON.stringify(body)));
    for (const signer of signers) {
      const jwk = await signer.publicKey();
      expect(signatures.filter((each) => isSignedByOneOf([jwk], each, served))).toHaveLength(1);
    }
  });

  test('is signed once, at start, and is the same one in every process by its tag', async () => {
    const signer = newSigner();
    const signed: Uint8Array[] = [];
    const counting: Signer = {
      publicKey: () => signer.publicKey(),
      sign: (input) => {
        signed.push(input);
        return signer.sign(input);
      },
    };
    const [first, second] = [
      await edge({ cardSigners: [counting] }),
      await edge({ cardSigners: [signer] }),
    ];
    const { headers } = await read(first);
    const again = await read(first);
    expect(again.headers.get('etag')).toBe(headers.get('etag'));
    // Its own address and the root's.
    expect(signed).toHaveLength(2);
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await read(second, CARD, known)).status).toBe(304);
  });

  test('shows the public keys, and nothing of the private ones', async () => {
    const server = await edge({ cardSigners: [newSigner()] });
    const { body, status } = await read(server, KEYS);
    expect([status, body]).toEqual([
      200,
      {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: expect.any(String),
            y: expect.any(String),
            kid: expect.any(String),
            use: 'sig',
            alg: 'ES256',
          },
        ],
      },
    ]);
  });

  test('whose key is away is not served unsigned, and is served once the key is back', async () => {
    const signer = newSigner();
    let away = true;
    const flaky: Signer = {
      publicKey: () => signer.publicKey(),
      sign: (input) => (away ? Promise.reject(new Unavailable('Cloud KMS')) : signer.sign(input)),
    };
    const server = await edge({ cardSigners: [flaky] });
    const refused = await read(server);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('cache-control')).toBeNull();
    expect(server.log).toContainEqual({
      level: 'error',
      event: 'card not signed',
      fields: { agent: 'echo', fault: 'Unavailable' },
    });
    away = false;
    await verified(server, (await read(server)).body);
  });

  test('of v0.3 is signed, too, with every field as it is served', async () => {
    const signer = newSigner();
    const server = await edge({ cardSigners: [signer], v03: true });
    const jwk = await signer.publicKey();
    for (const path of [CARD, `/agents/echo${CARD}`]) {
      const { body } = await read(server, path);
      const card = body as { readonly protocolVersion: string; readonly signatures: object[] };
      expect(card.protocolVersion).toBe('0.3.0');
      expect(signedCardFromJson(card, [jwk])).toMatchObject({ name: 'echo' });
      // What only v0.3 knows is covered.
      const changed = { ...card, url: 'https://elsewhere.example' };
      expect(signedCardFromJson(changed, [jwk])).toBeUndefined();
      expect(signedCardFromJson(card, [await newSigner().publicKey()])).toBeUndefined();
      const { headers } = await read(server, path);
      const known = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await read(server, path, known)).status).toBe(304);
    }
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    const current = await read(server, CARD, { 'A2A-Version': '1.0' });
    expect(current.body).not.toHaveProperty('protocolVersion');
    await verified(server, current.body);
  });

  test('needs a base URL: no caller may have a card signed for a host of its own', async () => {
    await expect(edgeServer({ cardSigners: [newSigner()] })).rejects.toThrow(/one base URL/);
  });
});

test('without keys there is no key set', async () => {
  const server = await edge({});
  expect((await read(server, KEYS, { 'A2A-Version': '1.0' })).status).toBe(404);
});
