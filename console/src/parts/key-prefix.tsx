import { federatedCredentialsTexts as t } from '../texts/federated-credentials.ts'

/** The beginning of an API key, by which it is recognised. A key that only workloads use has no secret, and none. */
export const KeyPrefix = ({ prefix }: { prefix: string }) => (prefix === '' ? t.withoutSecret : <code>{prefix}…</code>)
