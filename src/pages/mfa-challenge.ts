import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMfaMethod, type MfaMethod } from '../access/factors.ts'
import { definePageCookie } from './page-cookie.ts'

/** A sign-in that awaits its second factor, stored by the browser between two pages. */
export interface Challenge {
  mfaToken: string
  methods: readonly MfaMethod[]
}

const cookie = definePageCookie({ name: 'svc_mfa', path: '/login', lifetimeSeconds: 5 * 60 })

export function setChallengeCookie(reply: FastifyReply, { mfaToken, methods }: Challenge, secure: boolean): void {
  cookie.set(reply, `${mfaToken}.${methods.join('+')}`, secure)
}

export function keptChallenge(request: FastifyRequest, secure: boolean): Challenge | undefined {
  const [mfaToken = '', methods = ''] = cookie.read(request, secure)?.split('.') ?? []
  return /^[\w-]{43}$/.test(mfaToken) ? { mfaToken, methods: methods.split('+').filter(isMfaMethod) } : undefined
}

export const clearChallengeCookie = cookie.clear
