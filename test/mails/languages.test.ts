import { beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '../../src/platform/mail/mail.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { breachedPasswordFile } from '../support/breached-passwords.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { invite } from '../support/invite.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, passkeyProof, registerPasskey, signedInBy, tryPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const breachedPassword = 'purple monkey dishwasher'
const environment = {
  BREACHED_PASSWORDS: `file:${await breachedPasswordFile([breachedPassword])}`,
  BREACHED_PASSWORDS_AT_SIGN_IN: 'warn',
}
const service = useService({ environment })
// The number of links that one caller may request in an hour.
beforeEach(() => service().clock.advance({ hours: 1 }))
const newPassword = 'another long passphrase'
const inGerman = { 'accept-language': 'fr, de-AT;q=0.9, en;q=0.4' }
const inEnglish = { 'accept-language': 'en-GB, de;q=0.5' }

interface MailKind {
  mail: string
  /** Causes the mail by a request with these headers. @returns its recipient */
  cause(headers: Record<string, string>): Promise<string>
  english: [subject: string, ...texts: string[]]
  german: [subject: string, ...texts: string[]]
  /** The page that its link opens. */
  page?: string
}

const post = async (client: HttpClient, path: string, body: unknown, headers: Record<string, string>, status: number) => {
  const answer = await client.post(path, body, { headers })
  expect(answer).toMatchObject({ status })
  return answer.body
}

async function anOwnerAndAUser() {
  const { owner } = await service().given.organisation()
  return { owner, user: await service().given.user(owner) }
}

/** @param headers of the request that registers the passkey */
async function aUserWithPasskey(headers: Record<string, string> = {}) {
  const { owner, user } = await anOwnerAndAUser()
  const signedIn = await service().given.signIn(user.email)
  const device = new PasskeyDevice()
  const passkey = await registerPasskey(signedIn.with(headers), device, { name: 'Laptop' })
  return { owner, user, signedIn, device, passkey }
}

const kinds: MailKind[] = [
  {
    mail: 'the welcome of a new owner',
    cause: async (headers) => {
      const slug = `org-${unique()}`
      const ownerEmail = `owner@${slug}.test`
      const organisation = {
        name: `Größe ${slug}`,
        slug,
        email: `it@${slug}.test`,
        ownerEmail,
        ownerFirstName: 'Zoë',
        ownerLastName: 'Ünal',
      }
      await post(service().operator, '/v1/organisations', organisation, headers, 201)
      return ownerEmail
    },
    english: ['Welcome to Größe', 'Hello Zoë Ünal,', 'has been set up, and you own it.', 'Choose your password', 'for seven days'],
    german: ['Willkommen bei Größe', 'Guten Tag Zoë Ünal,', 'wurde für Sie eingerichtet', 'Passwort wählen', 'gilt sieben Tage lang'],
    page: '/password/reset',
  },
  {
    mail: 'the welcome of a new user without a password',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      const email = `user-${unique()}@example.test`
      await post(owner, '/v1/admin/users', { email, firstName: 'Zoë', lastName: 'Ünal' }, headers, 201)
      return email
    },
    english: ['Your account at Organisation', 'Hello Zoë Ünal,', 'has been created for you.', 'Choose your password', 'for seven days'],
    german: [
      'Ihr Konto bei Organisation',
      'Guten Tag Zoë Ünal,',
      'wurde ein Konto für Sie angelegt',
      'Passwort wählen',
      'sieben Tage lang',
    ],
    page: '/password/reset',
  },
  {
    mail: 'the recovery by the operator',
    cause: async (headers) => {
      const { owner, id } = await service().given.organisation()
      const { id: userId, email } = await service().given.user(owner)
      await owner.patch(`/v1/admin/users/${userId}`, { blockedAt: '2026-01-01T00:00:00Z' })
      service().mailbox.mails.length = 0
      const body = { unblock: true, passwordLink: true }
      await post(service().operator, `/v1/system/organisations/${id}/users/${userId}/recover`, body, headers, 200)
      return email
    },
    english: [
      'was recovered',
      'Hello Test User,',
      'The operator',
      'The block of your account was lifted.',
      'Choose a new password',
      'one hour',
    ],
    german: ['wiederhergestellt', 'Guten Tag Test User,', 'der Betreiber', 'nicht mehr gesperrt', 'Neues Passwort wählen', 'eine Stunde'],
    page: '/password/reset',
  },
  {
    mail: 'the notice that the operator has changed the owner',
    cause: async (headers) => {
      const { owner, id } = await service().given.organisation()
      const { id: userId, email } = await service().given.user(owner)
      service().mailbox.mails.length = 0
      await post(service().operator, `/v1/system/organisations/${id}/transfer-ownership`, { userId }, headers, 200)
      return email
    },
    english: ['has another owner', 'has made you the owner', 'ask the operator at once'],
    german: ['hat einen anderen Inhaber', 'hat Sie zum Inhaber', 'fragen Sie sofort den Betreiber'],
  },
  {
    mail: 'an invitation',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      const { id: roleId } = await service().given.role(owner)
      const email = `invited-${unique()}@example.test`
      await post(owner, '/v1/admin/invitations', { email, roleId }, headers, 201)
      return email
    },
    english: ['Join Organisation', 'Hello,', 'invites you to join', 'Accept the invitation', 'UTC.', 'you can ignore this mail'],
    german: ['Einladung zu Organisation', 'Guten Tag,', 'lädt Sie ein', 'Einladung annehmen', 'Uhr (UTC)', 'diese E-Mail ignorieren'],
    page: '/invitations/accept',
  },
  {
    mail: 'an invitation that is resent',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      const { id, email } = await invite(service(), owner)
      service().mailbox.mails.length = 0
      await post(owner, `/v1/admin/invitations/${id}/resend`, undefined, headers, 200)
      return email
    },
    english: ['Join Organisation', 'Accept the invitation'],
    german: ['Einladung zu Organisation', 'Einladung annehmen'],
    page: '/invitations/accept',
  },
  {
    mail: 'the verification of a user whom an administrator creates',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      const email = `user-${unique()}@example.test`
      const user = { email, firstName: 'Zoë', lastName: 'Ünal', password: newPassword }
      await post(owner, '/v1/admin/users', user, headers, 201)
      return email
    },
    english: ['Confirm your e-mail address', 'Hello Zoë Ünal,', 'Confirm that this is', 'Confirm the address', 'for one day'],
    german: ['Bestätigen Sie Ihre E-Mail-Adresse', 'Guten Tag Zoë Ünal,', 'bitte bestätigen Sie', 'Adresse bestätigen', 'einen Tag lang'],
    page: '/email/verify',
  },
  {
    mail: 'a verification that a user has sent again',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      const signedIn = await service().given.signIn(user.email)
      await service().mailbox.mailTo(user.email)
      service().mailbox.mails.length = 0
      await post(signedIn, '/v1/me/email/verification', undefined, headers, 202)
      return user.email
    },
    english: ['Confirm your e-mail address', 'Confirm the address'],
    german: ['Bestätigen Sie Ihre E-Mail-Adresse', 'Adresse bestätigen'],
    page: '/email/verify',
  },
  {
    mail: 'the link for a forgotten password',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      await post(service().anonymous, '/v1/auth/password/forgot', { email: user.email }, headers, 202)
      return user.email
    },
    english: ['Choose a new password', 'Hello Test User,', 'was requested', 'for one hour', 'your password stays as it is'],
    german: ['Neues Passwort wählen', 'Guten Tag Test User,', 'angefordert', 'eine Stunde lang', 'Ihr Passwort bleibt, wie es ist'],
    page: '/password/reset',
  },
  {
    mail: 'the link for a password that an administrator requests',
    cause: async (headers) => {
      const { owner, user } = await anOwnerAndAUser()
      await post(owner, `/v1/admin/users/${user.id}/password-reset`, undefined, headers, 202)
      return user.email
    },
    english: ['Choose a new password', 'A new password was requested for your account'],
    german: ['Neues Passwort wählen', 'für Ihr Konto bei Organisation'],
    page: '/password/reset',
  },
  {
    mail: 'the notice of a password that was set by a link',
    cause: async (headers) => {
      const { owner, user } = await anOwnerAndAUser()
      await post(owner, `/v1/admin/users/${user.id}/password-reset`, undefined, {}, 202)
      const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
      await post(service().anonymous, '/v1/auth/password/reset', { token, password: newPassword }, headers, 200)
      return user.email
    },
    english: ['Your password has been changed', 'Hello Test User,', 'The password of your account', 'This was not me', 'If it was you'],
    german: ['Ihr Passwort wurde geändert', 'Guten Tag Test User,', 'das Passwort Ihres Kontos', 'Das war ich nicht', 'Wenn Sie das waren'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of a password that a user has changed',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      const { password, ...signedIn } = await service().given.signIn(user.email)
      const own = service().anonymous.with(signedIn.headers)
      await post(own, '/v1/me/password', { currentPassword: password, newPassword }, headers, 204)
      return user.email
    },
    english: ['Your password has been changed', 'This was not me'],
    german: ['Ihr Passwort wurde geändert', 'Das war ich nicht'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of a second factor that an administrator has removed',
    cause: async (headers) => {
      const { owner, user } = await anOwnerAndAUser()
      await enrolAuthenticator(await service().given.signIn(user.email), service().clock)
      expect(await owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: false }, { headers })).toMatchObject({ status: 200 })
      return user.email
    },
    english: ['Two-factor authentication has been switched off', 'Hello Test User,', 'An administrator of', 'tell your administrator'],
    german: ['Die Bestätigung in zwei Schritten wurde', 'Guten Tag Test User,', 'die Administration von', 'wenden Sie sich an Ihre'],
  },
  {
    mail: 'the notice of a second factor that a user has enabled',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      const signedIn = await service().given.signIn(user.email)
      await enrolAuthenticator(signedIn.with(headers), service().clock)
      return user.email
    },
    english: ['Two-factor authentication has been switched on', 'Hello Test User,', 'a code from an authenticator app', 'This was not me'],
    german: ['in zwei Schritten wurde eingeschaltet', 'Guten Tag Test User,', 'ein Code aus einer Authenticator-App', 'Das war ich nicht'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of a second factor that a user has disabled',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      const signedIn = await service().given.signIn(user.email)
      const { authenticator } = await enrolAuthenticator(signedIn, service().clock)
      await post(signedIn, '/v1/me/mfa/disable', { token: authenticator.nextCode() }, headers, 200)
      return user.email
    },
    english: ['Two-factor authentication has been switched off', 'Hello Test User,', 'takes your password alone', 'This was not me'],
    german: ['in zwei Schritten wurde ausgeschaltet', 'Guten Tag Test User,', 'genügt jetzt Ihr Passwort', 'Das war ich nicht'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of ten wrong codes',
    cause: async (headers) => {
      const { user } = await anOwnerAndAUser()
      const signedIn = await service().given.signIn(user.email)
      const { authenticator } = await enrolAuthenticator(signedIn, service().clock)
      const token = authenticator.wrongCode()
      for (let attempt = 0; attempt < 10; attempt++) {
        if (attempt % 5 === 0) service().clock.advance({ minutes: 5 })
        await post(signedIn, '/v1/me/mfa/disable', { token }, headers, 400)
      }
      return user.email
    },
    english: ['Wrong codes for your account', 'Hello Test User,', 'Ten wrong codes in a row', 'a new one at once', 'This was not me'],
    german: ['Falsche Codes für Ihr Konto', 'Guten Tag Test User,', 'zehnmal nacheinander', 'sofort ein neues', 'Das war ich nicht'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of an API key',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      await post(owner, '/v1/admin/api-keys', { name: 'Nightly import', permissions: ['users:read'] }, headers, 201)
      return owner.email
    },
    english: ['An API key has been made in your name', 'The API key Nightly import at', 'choose a new password', 'This was not me'],
    german: [
      'In Ihrem Namen wurde ein API-Schlüssel erstellt',
      'der API-Schlüssel Nightly import bei',
      'ein neues Passwort',
      'Das war ich nicht',
    ],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of a breached password',
    cause: async (headers) => {
      const { owner } = await service().given.organisation()
      await owner.patch('/v1/admin/organisation', { passwordPolicy: { refuseBreached: false } })
      const { email } = await service().given.user(owner, { password: breachedPassword })
      await owner.patch('/v1/admin/organisation', { passwordPolicy: null })
      await post(service().anonymous, '/v1/auth/login', { email, password: breachedPassword }, headers, 200)
      await service().settled()
      return email
    },
    english: ['Your password is known from a data breach', 'Hello Test User,', 'from data breaches', 'Choose a new password'],
    german: ['Ihr Passwort ist aus einem Datenleck bekannt', 'Guten Tag Test User,', 'aus Datenlecks', 'Neues Passwort wählen'],
    page: '/password/forgot',
  },
  {
    mail: 'the notice of a registered passkey',
    cause: async (headers) => {
      const { signedIn } = await aUserWithPasskey(headers)
      return signedIn.email
    },
    english: ['A passkey has been registered', 'Hello Test User,', 'The passkey Laptop has been registered', 'If it was not you'],
    german: ['Ein Passkey wurde registriert', 'Guten Tag Test User,', 'der Passkey Laptop wurde', 'Wenn Sie das nicht waren'],
    page: '/account/passkeys',
  },
  {
    mail: 'the notice of a passkey that its user has deleted',
    cause: async (headers) => {
      const { signedIn, passkey } = await aUserWithPasskey()
      expect(await signedIn.delete(`/v1/me/passkeys/${passkey.id}`, undefined, { headers })).toMatchObject({ status: 204 })
      return signedIn.email
    },
    english: ['A passkey has been deleted', 'Hello Test User,', 'The passkey Laptop of your account', 'If it was you'],
    german: ['Ein Passkey wurde gelöscht', 'Guten Tag Test User,', 'der Passkey Laptop Ihres Kontos', 'Wenn Sie das waren'],
    page: '/account/passkeys',
  },
  {
    mail: 'the notice of a passkey that an administrator has deleted',
    cause: async (headers) => {
      const { owner, user, signedIn, passkey } = await aUserWithPasskey()
      expect(await owner.delete(`/v1/admin/users/${user.id}/passkeys/${passkey.id}`, undefined, { headers })).toMatchObject({ status: 204 })
      return signedIn.email
    },
    english: [
      'Your passkey has been deleted',
      'Hello Test User,',
      'An administrator of',
      'signed out everywhere',
      'tell your administrator',
    ],
    german: [
      'Ihr Passkey wurde gelöscht',
      'Guten Tag Test User,',
      'die Administration von',
      'überall abgemeldet',
      'wenden Sie sich an Ihre',
    ],
  },
  {
    mail: 'the same to a user without a password',
    cause: async (headers) => {
      const { owner, user, signedIn, passkey, device } = await aUserWithPasskey()
      const byPasskey = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
      expect(await byPasskey.delete('/v1/me/password')).toMatchObject({ status: 204 })
      expect(await owner.delete(`/v1/admin/users/${user.id}/passkeys/${passkey.id}`, undefined, { headers })).toMatchObject({ status: 204 })
      return signedIn.email
    },
    english: ['Your passkey has been deleted', 'Your account has no password', 'for one hour', 'Choose a password'],
    german: ['Ihr Passkey wurde gelöscht', 'Ihr Konto hat kein Passwort', 'eine Stunde lang', 'Passwort wählen'],
    page: '/password/reset',
  },
  {
    mail: 'the notice of a passkey that may have been copied',
    cause: async (headers) => {
      const { signedIn, passkey, device } = await aUserWithPasskey()
      await service().database.system().updateTable('passkeys').set({ counter: 1_000_000 }).where('id', '=', passkey.id).execute()
      await post(service().anonymous, '/v1/auth/passkey', await passkeyProof(service().anonymous, device), headers, 401)
      return signedIn.email
    },
    english: ['Your passkey was refused', 'Hello Test User,', 'There may be a copy of it', 'register a new one'],
    german: ['Ihr Passkey wurde abgelehnt', 'Guten Tag Test User,', 'Es kann eine Kopie von ihm geben', 'registrieren Sie einen neuen'],
    page: '/account/passkeys',
  },
  {
    mail: 'the notice of a password that its user has removed',
    cause: async (headers) => {
      const { signedIn, device } = await aUserWithPasskey()
      const byPasskey = signedInBy(service().anonymous, await tryPasskey(service().anonymous, device))
      expect(await byPasskey.delete('/v1/me/password', undefined, { headers })).toMatchObject({ status: 204 })
      return signedIn.email
    },
    english: ['Your password has been removed', 'Hello Test User,', 'passkeys alone sign in', 'This was not me'],
    german: ['Ihr Passwort wurde entfernt', 'Guten Tag Test User,', 'nur mit Passkeys', 'Das war ich nicht'],
    page: '/password/forgot',
  },
]

const plain = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

function expectTexts(mail: Mail, language: string, [subject, ...texts]: readonly string[]): void {
  expect(mail).toMatchObject({ language, subject: expect.stringContaining(subject ?? '') })
  expect(mail.html).toContain(`<html lang="${language}">`)
  for (const part of [mail.text, plain(mail.html)]) for (const text of texts) expect(part).toContain(text)
}

/** What a mail links to, as a path of the service. */
const linkIn = ({ text }: Mail) => /http:\/\/gatehouse\.test(\/\S+)/.exec(text)?.[1] ?? ''

describe.each(kinds)('$mail', ({ cause, english, german, page }) => {
  it.each([
    ['en', inEnglish, english],
    ['de', inGerman, german],
  ])('is in the language of the request that caused it: %s', async (language, headers, texts) => {
    const mail = await service().mailbox.mailTo(await cause(headers), texts[0])

    expectTexts(mail, language, texts)
    if (!page) return expect(linkIn(mail)).toBe('')
    expect(linkIn(mail)).toMatch(new RegExp(`^${page}\\?(token=[\\w-]{43}&)?ui_locales=${language}$`))
    const other = language === 'de' ? 'en' : 'de'
    const open = (path: string) => service().anonymous.get(path, { headers: { 'accept-language': other } })
    const opened = await open(linkIn(mail))
    // A page of the account asks to sign in first.
    const shown = opened.status === 303 ? await open(opened.headers.get('location') ?? '') : opened
    expect(shown).toMatchObject({ status: 200, body: expect.stringContaining(`<html lang="${language}">`) })
  })

  it('is in English when the request wants none of our languages, and its link lets the browser choose', async () => {
    const mail = await service().mailbox.mailTo(await cause({ 'accept-language': 'ja, fr;q=0.8' }), english[0])

    expectTexts(mail, 'en', english)
    expect(mail.text).not.toContain('ui_locales')
  })
})

describe('the language of a mail', () => {
  it.each([
    ['of a country', 'de-AT', 'de'],
    ['that wants German more', 'en;q=0.2, de;q=0.3', 'de'],
    ['that wants English more', 'de;q=0.2, en;q=0.3', 'en'],
    ['that refuses German', 'de;q=0', 'en'],
    ['that takes any', '*', 'en'],
    ['of a language that we have not', 'tlh', 'en'],
    ['with a quality that is none', 'de;q=high', 'de'],
    ['that is malformed', ';;,q=0.1,"', 'en'],
    ['that is far too long', `${'x'.repeat(4_000)}, de`, 'en'],
    ['that is empty', '', 'en'],
  ])('by an Accept-Language %s follows it, and is otherwise English', async (_, acceptLanguage, language) => {
    const { user } = await anOwnerAndAUser()
    await post(service().anonymous, '/v1/auth/password/forgot', { email: user.email }, { 'accept-language': acceptLanguage }, 202)

    const subject = language === 'de' ? 'Neues Passwort wählen' : 'Choose a new password'
    expect(await service().mailbox.mailTo(user.email, subject)).toMatchObject({ language })
  })

  it('is that of the pending authorization request rather than that of the browser', async () => {
    const application = await givenApplication(service())
    const user = await service().given.user(application.organisation.owner)
    const browser = new PageVisitor(service().origin)
    const waiting = await application.authorize(
      { ui_locales: 'fr de-CH', code_challenge: pkce().challenge, code_challenge_method: 'S256' },
      null,
    )
    const login = await browser.open(waiting.headers.get('location')?.replace('http://gatehouse.test', '') ?? '')
    const forgotten = plain(/href="(\/password\/forgot[^"]*)"/.exec(login.body)?.[1] ?? '')

    await browser.submit(forgotten, { email: user.email }, inEnglish)

    const mail = await service().mailbox.mailTo(user.email, 'Neues Passwort wählen')
    expectTexts(mail, 'de', ['Neues Passwort wählen', 'Guten Tag Test User,'])
    const link = linkIn(mail)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect(await browser.submit(link, { token, password: newPassword }, inEnglish)).toMatchObject({ status: 303 })
    expect(await service().mailbox.mailTo(user.email, 'Ihr Passwort wurde geändert')).toMatchObject({ language: 'de' })
  })

  it.each([
    ['/password/forgot', inGerman, 'de'],
    ['/password/forgot?ui_locales=en', inGerman, 'en'],
    ['/password/forgot?ui_locales=de', inEnglish, 'de'],
    ['/password/forgot?ui_locales=fr', inGerman, 'de'],
  ])('is that of the page %s', async (path, headers, language) => {
    const { user } = await anOwnerAndAUser()
    await new PageVisitor(service().origin).submit(path, { email: user.email }, headers)

    const subject = language === 'de' ? 'Neues Passwort wählen' : 'Choose a new password'
    const mail = await service().mailbox.mailTo(user.email, subject)
    expect(mail).toMatchObject({ language })
    expect(linkIn(mail)).toContain(`&ui_locales=${language}`)
  })

  it('is that of the account page when its owner makes the change', async () => {
    const { user } = await anOwnerAndAUser()
    const { password } = await service().given.signIn(user.email)
    const browser = new PageVisitor(service().origin)
    await browser.submit('/login', { email: user.email, password })

    await browser.submit('/account/verification?ui_locales=de', {}, inEnglish, '/account')
    const change = { currentPassword: password, newPassword }
    expect(await browser.submit('/account/password?ui_locales=de', change, inEnglish)).toMatchObject({ status: 303 })

    expect(await service().mailbox.mailTo(user.email, 'Bestätigen Sie')).toMatchObject({ language: 'de' })
    expect(await service().mailbox.mailTo(user.email, 'Ihr Passwort wurde geändert')).toMatchObject({ language: 'de' })
  })

  it('is also that of a request with an API key', async () => {
    const { owner, user } = await anOwnerAndAUser()
    const { key } = await post(owner, '/v1/admin/api-keys', { name: 'Provisioning', permissions: ['users:update'] }, {}, 201)
    const program = service().anonymous.with({ authorization: `Bearer ${key}` })

    await post(program, `/v1/admin/users/${user.id}/password-reset`, undefined, inGerman, 202)

    expect(await service().mailbox.mailTo(user.email, 'Neues Passwort wählen')).toMatchObject({ language: 'de' })
  })
})

describe('/openapi.json', () => {
  it('describes Accept-Language for every operation that mails, and for no other', async () => {
    const { body } = await service().anonymous.get('/openapi.json')
    const mailing: string[] = []
    for (const [path, operations] of Object.entries<Record<string, { parameters?: { name: string }[] }>>(body.paths)) {
      for (const [method, { parameters = [] }] of Object.entries(operations)) {
        if (parameters.some(({ name }) => name === 'Accept-Language')) mailing.push(`${method.toUpperCase()} ${path}`)
      }
    }

    expect(mailing.sort()).toEqual([
      'DELETE /v1/admin/users/{id}/passkeys/{passkeyId}',
      'DELETE /v1/me/passkeys/{id}',
      'DELETE /v1/me/password',
      'PATCH /v1/admin/api-keys/{id}',
      'PATCH /v1/admin/users/{id}',
      'POST /v1/admin/api-keys',
      'POST /v1/admin/invitations',
      'POST /v1/admin/invitations/{id}/resend',
      'POST /v1/admin/users',
      'POST /v1/admin/users/{id}/password-reset',
      'POST /v1/auth/email-code',
      'POST /v1/auth/login',
      'POST /v1/auth/login/mfa',
      'POST /v1/auth/passkey',
      'POST /v1/auth/password/forgot',
      'POST /v1/auth/password/reset',
      'POST /v1/me/email/verification',
      'POST /v1/me/mfa/backup-codes',
      'POST /v1/me/mfa/check',
      'POST /v1/me/mfa/disable',
      'POST /v1/me/mfa/enable',
      'POST /v1/me/mfa/verify',
      'POST /v1/me/passkeys',
      'POST /v1/me/password',
      'POST /v1/me/reauthenticate',
      'POST /v1/organisations',
      'POST /v1/system/organisations/{id}/transfer-ownership',
      'POST /v1/system/organisations/{id}/users/{userId}/recover',
    ])
  })
})
