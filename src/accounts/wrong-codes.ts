import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'

/** The count of wrong codes of a second factor in a user's row. */
export interface WrongCodes {
  mfaEnabled: boolean
  /** Consecutive wrong codes. */
  wrongCodes: number
  /** The time until which codes are refused. */
  codesRefusedUntil: Date | null
}

/** @returns the number of consecutive wrong codes, including this one */
export async function incrementWrongCodes(tenant: Tenant, userId: string): Promise<number> {
  const { wrongCodes } = await tenant
    .updateTable('users')
    .set((user) => ({ wrongCodes: user('wrongCodes', '+', 1) }))
    .where('id', '=', userId)
    .returning('wrongCodes')
    .executeTakeFirstOrThrow()
  return wrongCodes
}

export async function refuseCodesUntil(tenant: Tenant, userId: string, codesRefusedUntil: Date): Promise<void> {
  await tenant.updateTable('users').set({ codesRefusedUntil }).where('id', '=', userId).execute()
}

/** Resets a user's count of wrong codes. @returns whether codes were being refused because of it */
export async function forgetWrongCodes(tenant: Tenant, userId: string): Promise<boolean> {
  const { rows } = await sql<{ wereRefused: boolean | null }>`
    with before as (select id, codes_refused_until from users where id = ${userId} and wrong_codes > 0 for no key update)
    update users set wrong_codes = 0, codes_refused_until = null from before where users.id = before.id
    returning before.codes_refused_until > ${tenant.now} as were_refused`.execute(tenant)
  return rows[0]?.wereRefused ?? false
}

/** The time until which a user's codes are refused; it may have passed. */
export async function findCodesRefusedUntil(tenant: Tenant, userId: string): Promise<Date | null> {
  const user = await tenant.selectFrom('users').select('codesRefusedUntil').where('id', '=', userId).executeTakeFirst()
  return user?.codesRefusedUntil ?? null
}
