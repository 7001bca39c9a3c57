import { createRequire } from 'node:module'
import { type SamlProvider, samlProvider } from './saml-provider.ts'

type Binding = 'redirect' | 'post'
type Arrived = { query: object; octetString: string } | { body: object }
interface LogoutExtract {
  request: { id: string; destination: string }
  issuer: string
  nameID: string
  sessionIndex?: string
}

/** The part of samlify that is used here. Its own types bring those of a browser into the whole program. */
interface Samlify {
  setSchemaValidator(validator: { validate(): Promise<string> }): void
  ServiceProvider(settings: { metadata: string; wantLogoutRequestSigned: boolean }): object
  IdentityProvider(settings: object): {
    getMetadata(): string
    parseLoginRequest(
      sp: object,
      binding: Binding,
      request: Arrived,
    ): Promise<{ extract: { request: { id: string; destination: string; assertionConsumerServiceUrl: string }; issuer: string } }>
    createLoginResponse(
      sp: object,
      request: object,
      binding: 'post',
      user: object,
      replace: (template: string) => { id: string; context: string },
    ): Promise<{ context: string }>
    parseLogoutRequest(sp: object, binding: Binding, request: Arrived): Promise<{ extract: LogoutExtract }>
    parseLogoutResponse(
      sp: object,
      binding: Binding,
      request: Arrived,
    ): Promise<{ extract: { response: { inResponseTo: string; destination: string } } }>
    createLogoutRequest(
      sp: object,
      binding: 'redirect',
      user: object,
      relayState: string,
      replace: (template: string) => { id: string; context: string },
    ): { context: string }
  }
  SamlLib: { replaceTagsByValue(template: string, values: object): string }
}

const require = createRequire(import.meta.url)
const samlify = require('samlify') as Samlify
samlify.setSchemaValidator({ validate: async () => 'valid' })

export interface SignedInUser {
  nameId: string
  email: string
  groups?: readonly string[]
  /** Where they are, which Microsoft Entra sends in place of too many. */
  groupsLink?: string
  /** The name of the session there. */
  sessionIndex?: string
  /** When that ends. */
  sessionEndsAt?: Date
}

type Extract = Awaited<ReturnType<ReturnType<Samlify['IdentityProvider']>['parseLoginRequest']>>['extract']
const requestIn = ({ request: { id, destination, assertionConsumerServiceUrl: acsUrl }, issuer }: Extract) => ({
  id,
  destination,
  acsUrl,
  issuer,
})

/** A message as it came: with the address, or with a form. */
function arrivedAs(arrived: URL | object): [Binding, Arrived] {
  if (!(arrived instanceof URL)) return ['post', { body: arrived }]
  // What is signed ends before the signature.
  const octetString = arrived.search.slice(1).replace(/&Signature=.*$/, '')
  return ['redirect', { query: Object.fromEntries(arrived.searchParams), octetString }]
}

/** An identity provider that is not our code: samlify. */
export interface SamlifyProvider extends SamlProvider {
  metadata: string
  ssoUrl: string
  /** Reads and verifies a request that came with the Redirect binding. */
  readRequest(ownMetadata: string, arrived: URL): Promise<{ id: string; destination: string; acsUrl: string; issuer: string }>
  /** The same for one that a form has brought. */
  readPostedRequest(ownMetadata: string, fields: object): Promise<{ id: string; destination: string; acsUrl: string; issuer: string }>
  /** The same for a request to sign out, and for the response to one of its own. */
  readLogoutRequest(ownMetadata: string, arrived: URL | Record<string, string>): Promise<LogoutExtract>
  readLogoutResponse(ownMetadata: string, arrived: URL | Record<string, string>): Promise<{ inResponseTo: string; destination: string }>
  /** A request of its own to sign a user out, by the Redirect binding, which names no session. */
  logoutRequest(ownMetadata: string, nameId: string, relayState: string): URL
  /** @returns what a browser posts as SAMLResponse */
  respond(ownMetadata: string, requestId: string, user: SignedInUser): Promise<string>
}

const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{Now}" Destination="{Acs}" InResponseTo="{Request}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{Now}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{End}" Recipient="{Acs}" InResponseTo="{Request}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{Now}" NotOnOrAfter="{End}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{Now}" SessionIndex="{Session}"{SessionEnd}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute>{Groups}</saml:AttributeStatement></saml:Assertion></samlp:Response>`

/**
 * @param options.now the time that its responses say
 * @param options.encrypts whether it encrypts its assertions
 * @param options.takes the bindings by which requests come to it
 * @param options.signsOutBy the same for messages of single logout; none: it has no such address
 */
export async function samlifyProvider({
  origin = 'https://samlify.test',
  now,
  encrypts = false,
  takes = ['HTTP-Redirect', 'HTTP-POST'],
  signsOutBy = takes,
}: {
  origin?: string
  now: () => Date
  encrypts?: boolean
  takes?: readonly string[]
  signsOutBy?: readonly string[]
}): Promise<SamlifyProvider> {
  const keys = await samlProvider()
  const ssoUrl = `${origin}/sso`
  const services = (bindings: readonly string[], Location: string) =>
    bindings.map((binding) => ({ Binding: `urn:oasis:names:tc:SAML:2.0:bindings:${binding}`, Location }))
  const idp = samlify.IdentityProvider({
    entityID: `${origin}/metadata`,
    signingCert: keys.certificate,
    privateKey: keys.privateKey,
    wantAuthnRequestsSigned: true,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
    singleSignOnService: services(takes, ssoUrl),
    singleLogoutService: services(signsOutBy, `${origin}/slo`),
    isAssertionEncrypted: encrypts,
    dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    loginResponseTemplate: { context: template, attributes: [] },
  })
  const own = (metadata: string) => samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true })

  return {
    ...keys,
    entityId: `${origin}/metadata`,
    metadata: idp.getMetadata(),
    ssoUrl,
    async readRequest(ownMetadata, arrived) {
      const { extract } = await idp.parseLoginRequest(own(ownMetadata), ...arrivedAs(arrived))
      return requestIn(extract)
    },
    async readPostedRequest(ownMetadata, fields) {
      const { extract } = await idp.parseLoginRequest(own(ownMetadata), ...arrivedAs(fields))
      return requestIn(extract)
    },
    async readLogoutRequest(ownMetadata, arrived) {
      const { extract } = await idp.parseLogoutRequest(own(ownMetadata), ...arrivedAs(arrived))
      return extract
    },
    async readLogoutResponse(ownMetadata, arrived) {
      const { extract } = await idp.parseLogoutResponse(own(ownMetadata), ...arrivedAs(arrived))
      return extract.response
    },
    logoutRequest(ownMetadata, nameId, relayState) {
      const [, destination = ''] = /SingleLogoutService [^>]*Location="([^"]+)"/.exec(ownMetadata) ?? []
      const id = `_${crypto.randomUUID()}`
      const values = {
        ID: id,
        Destination: destination,
        Issuer: `${origin}/metadata`,
        IssueInstant: now().toISOString(),
        NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
        NameID: nameId,
      }
      const withoutSession = (text: string) => text.replace(/<samlp:SessionIndex>.*?<\/samlp:SessionIndex>/, '')
      const replace = (text: string) => ({ id, context: samlify.SamlLib.replaceTagsByValue(withoutSession(text), values) })
      return new URL(idp.createLogoutRequest(own(ownMetadata), 'redirect', { logoutNameID: nameId }, relayState, replace).context)
    },
    async respond(
      ownMetadata,
      requestId,
      { nameId, email, groups = [], groupsLink, sessionIndex = `_${crypto.randomUUID()}`, sessionEndsAt },
    ) {
      const sp = own(ownMetadata)
      const [, audience = ''] = /entityID="([^"]+)"/.exec(ownMetadata) ?? []
      const [, acs = ''] = /AssertionConsumerService [^>]*Location="([^"]+)"/.exec(ownMetadata) ?? []
      const id = `_${crypto.randomUUID()}`
      const values = {
        ID: id,
        AssertionID: `_${crypto.randomUUID()}`,
        Issuer: `${origin}/metadata`,
        Now: now().toISOString(),
        End: new Date(now().getTime() + 300_000).toISOString(),
        Acs: acs,
        Audience: audience,
        Request: requestId,
        Session: sessionIndex,
        NameID: nameId,
        Email: email,
      }
      const written = groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join('')
      const withGroups = groups.length > 0 ? `<saml:Attribute Name="groups">${written}</saml:Attribute>` : ''
      const link = `<saml:AttributeValue>${groupsLink}</saml:AttributeValue>`
      const withLink = groupsLink ? `<saml:Attribute Name="http://schemas.microsoft.com/claims/groups.link">${link}</saml:Attribute>` : ''
      const sessionEnd = sessionEndsAt ? ` SessionNotOnOrAfter="${sessionEndsAt.toISOString()}"` : ''
      const { context } = await idp.createLoginResponse(sp, {}, 'post', {}, (text) => ({
        id,
        context: samlify.SamlLib.replaceTagsByValue(
          text.replace('{Groups}', withGroups + withLink).replace('{SessionEnd}', sessionEnd),
          values,
        ),
      }))
      return context
    },
  }
}
