import { presentTime } from '../platform/http/fields.ts'
import type { listSigningKeys } from './rotate-signing-keys.ts'

/** A published key without its private part. */
export const presentSigningKey = ({
  id,
  algorithm,
  state,
  createdAt,
  signsFrom,
  retiresAt,
}: Awaited<ReturnType<typeof listSigningKeys>>[number]) => ({
  kid: id,
  alg: algorithm,
  state,
  createdAt: presentTime(createdAt),
  signsFrom: presentTime(signsFrom),
  retiresAt: presentTime(retiresAt),
})
