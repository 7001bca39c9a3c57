import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for the time at which a session expires by itself: `expiryOf` of `rules.ts`, for rows.
 *
 * @param session SQL: the name of the row
 */
export const sessionExpiry = (session: string) =>
  `least(${session}.expires_at, ${session}.last_activity_at + make_interval(secs => ${session}.idle_timeout))`

const lastsBeyond = (session: string) => `${session}.revoked_at is null and ${sessionExpiry(session)} >`

/**
 * SQL for whether a session is active: `isLive` of `rules.ts`, for rows.
 *
 * @param session SQL: the name of the row
 * @param now SQL: a parameter
 */
export const isActiveSession = (session: string, now: string) => `${lastsBeyond(session)} ${now}`

/** The same as a part of a statement that kysely builds. */
export const isSessionActiveAt = (session: string, now: Date): RawBuilder<boolean> => sql`${sql.raw(lastsBeyond(session))} ${now}`
