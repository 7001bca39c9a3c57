import { expect } from 'vitest'
import type { SignedInUser } from './given.ts'
import type { Answer } from './http-client.ts'
import type { TestApplication } from './oauth.ts'
import { PageVisitor } from './page-visitor.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export interface DeviceCodes {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

/** A device asks for its codes. */
export async function askOnDevice(app: TestApplication, form: Record<string, string> = {}): Promise<DeviceCodes> {
  const { status, body } = await app.post('/oauth2/device_authorization', form)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

/** A device polls. */
export const poll = (app: TestApplication, { device_code }: Pick<DeviceCodes, 'device_code'>): Promise<Answer> =>
  app.token({ grant_type: deviceGrant, device_code })

/** Enters a code in a browser. */
export const enterCode = (browser: PageVisitor, userCode: string): Promise<Answer> => browser.submit('/device', { userCode })

/** Enters the code of a device and decides, in a browser in which the user is signed in. */
export async function decideOnDevice(
  user: SignedInUser,
  { user_code }: Pick<DeviceCodes, 'user_code'>,
  decision: 'allow' | 'cancel',
): Promise<Answer> {
  const browser = new PageVisitor(user.origin, user.cookie)
  expect((await enterCode(browser, user_code)).headers.get('location')).toBe('/device/confirm')
  return decide(browser, decision)
}

/** Decides on the page that asks, whose code has been entered in this browser. */
export async function decide(browser: PageVisitor, decision: 'allow' | 'cancel'): Promise<Answer> {
  const { body } = await browser.open('/device/confirm')
  return browser.submit('/device/confirm', { decision, request: requestOn(body) })
}

/** What the form of that page is about. */
export const requestOn = (page: string): string => /name="request" value="([^"]*)"/.exec(page)?.[1] ?? ''
