import { createHash, randomBytes } from 'node:crypto'
import type { Connection } from '../database/connection.ts'

/** One consent of a person: a code, and every token obtained with it. */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string
}

type SecretKind = 'code' | 'access' | 'refresh'

interface Secret {
  readonly grant: Grant
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The code or refresh token was used already: a second use means that it was stolen. */
  readonly spent: boolean
}

/** Codes and tokens. Only their digests are stored, so the file gives no access. */
export interface OAuthSecrets {
  /** Creates a random secret and returns it; it cannot be read again. */
  readonly issue: (kind: SecretKind, grant: Grant, expiresAt: number) => string
  readonly find: (kind: SecretKind, secret: string) => Secret | undefined
  readonly spend: (secret: string) => void
  readonly revoke: (grantId: string) => void
  readonly clear: () => void
}

/** Makes the table if it does not exist. */
export function makeSecrets(connection: Connection): void {
  connection.exec(`
    CREATE TABLE IF NOT EXISTS oauth_secrets (
      digest TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      grant_id TEXT NOT NULL,
      grant_body TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      spent INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS oauth_secrets_by_grant ON oauth_secrets (grant_id);
  `)
}

/** The secrets of a database that has their table. */
export function openSecrets(connection: Connection): OAuthSecrets {
  const run = (sql: string, ...values: unknown[]) => void connection.prepare(sql).run(...values)
  return {
    issue(kind, grant, expiresAt) {
      const secret = randomBytes(32).toString('base64url')
      run(
        'INSERT INTO oauth_secrets (digest, kind, grant_id, grant_body, expires_at) VALUES (?, ?, ?, ?, ?)',
        secretDigest(secret),
        kind,
        grant.id,
        JSON.stringify(grant),
        expiresAt,
      )
      return secret
    },
    find(kind, secret) {
      const row = connection
        .prepare('SELECT grant_body, expires_at, spent FROM oauth_secrets WHERE digest = ? AND kind = ?')
        .get(secretDigest(secret), kind) as SecretRow | undefined
      return row && { grant: JSON.parse(row.grant_body), expiresAt: row.expires_at, spent: row.spent === 1 }
    },
    spend: (secret) => run('UPDATE oauth_secrets SET spent = 1 WHERE digest = ?', secretDigest(secret)),
    revoke: (grantId) => run('DELETE FROM oauth_secrets WHERE grant_id = ?', grantId),
    clear: () => run('DELETE FROM oauth_secrets'),
  }
}

interface SecretRow {
  grant_body: string
  expires_at: number
  spent: number
}

/** Needs no salt: the secrets are random and too long to guess. */
function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
