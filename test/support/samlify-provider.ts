import { createRequire } from 'node:module'
import { type SamlProvider, samlProvider } from './saml-provider.ts'

/** The part of samlify that is used here. Its own types bring those of a browser into the whole program. */
interface Samlify {
  setSchemaValidator(validator: { validate(): Promise<string> }): void
  ServiceProvider(settings: { metadata: string }): object
  IdentityProvider(settings: object): {
    getMetadata(): string
    parseLoginRequest(
      sp: object,
      binding: 'redirect' | 'post',
      request: { query: object; octetString: string } | { body: object },
    ): Promise<{ extract: { request: { id: string; destination: string; assertionConsumerServiceUrl: string }; issuer: string } }>
    createLoginResponse(
      sp: object,
      request: object,
      binding: 'post',
      user: object,
      replace: (template: string) => { id: string; context: string },
    ): Promise<{ context: string }>
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
}

type Extract = Awaited<ReturnType<ReturnType<Samlify['IdentityProvider']>['parseLoginRequest']>>['extract']
const requestIn = ({ request: { id, destination, assertionConsumerServiceUrl: acsUrl }, issuer }: Extract) => ({
  id,
  destination,
  acsUrl,
  issuer,
})

/** An identity provider that is not our code: samlify. */
export interface SamlifyProvider extends SamlProvider {
  metadata: string
  ssoUrl: string
  /** Reads and verifies a request that came with the Redirect binding. */
  readRequest(ownMetadata: string, arrived: URL): Promise<{ id: string; destination: string; acsUrl: string; issuer: string }>
  /** The same for one that a form has brought. */
  readPostedRequest(ownMetadata: string, fields: object): Promise<{ id: string; destination: string; acsUrl: string; issuer: string }>
  /** @returns what a browser posts as SAMLResponse */
  respond(ownMetadata: string, requestId: string, user: SignedInUser): Promise<string>
}

const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{Now}" Destination="{Acs}" InResponseTo="{Request}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{Now}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{End}" Recipient="{Acs}" InResponseTo="{Request}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{Now}" NotOnOrAfter="{End}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{Now}" SessionIndex="{Session}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute>{Groups}</saml:AttributeStatement></saml:Assertion></samlp:Response>`

/**
 * @param options.now the time that its responses say
 * @param options.encrypts whether it encrypts its assertions
 * @param options.takes the bindings by which requests come to it
 */
export async function samlifyProvider({
  origin = 'https://samlify.test',
  now,
  encrypts = false,
  takes = ['HTTP-Redirect', 'HTTP-POST'],
}: {
  origin?: string
  now: () => Date
  encrypts?: boolean
  takes?: readonly string[]
}): Promise<SamlifyProvider> {
  const keys = await samlProvider()
  const ssoUrl = `${origin}/sso`
  const bindings = takes.map((binding) => `urn:oasis:names:tc:SAML:2.0:bindings:${binding}`)
  const idp = samlify.IdentityProvider({
    entityID: `${origin}/metadata`,
    signingCert: keys.certificate,
    privateKey: keys.privateKey,
    wantAuthnRequestsSigned: true,
    singleSignOnService: bindings.map((Binding) => ({ Binding, Location: ssoUrl })),
    singleLogoutService: bindings.map((Binding) => ({ Binding, Location: `${origin}/slo` })),
    isAssertionEncrypted: encrypts,
    dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    loginResponseTemplate: { context: template, attributes: [] },
  })
  const own = (metadata: string) => samlify.ServiceProvider({ metadata })

  return {
    ...keys,
    entityId: `${origin}/metadata`,
    metadata: idp.getMetadata(),
    ssoUrl,
    async readRequest(ownMetadata, arrived) {
      // What is signed ends before the signature.
      const octetString = arrived.search.slice(1).replace(/&Signature=.*$/, '')
      const { extract } = await idp.parseLoginRequest(own(ownMetadata), 'redirect', {
        query: Object.fromEntries(arrived.searchParams),
        octetString,
      })
      return requestIn(extract)
    },
    async readPostedRequest(ownMetadata, fields) {
      const { extract } = await idp.parseLoginRequest(own(ownMetadata), 'post', { body: fields })
      return requestIn(extract)
    },
    async respond(ownMetadata, requestId, { nameId, email, groups = [] }) {
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
        Session: `_${crypto.randomUUID()}`,
        NameID: nameId,
        Email: email,
      }
      const written = groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join('')
      const withGroups = groups.length > 0 ? `<saml:Attribute Name="groups">${written}</saml:Attribute>` : ''
      const { context } = await idp.createLoginResponse(sp, {}, 'post', {}, (text) => ({
        id,
        context: samlify.SamlLib.replaceTagsByValue(text.replace('{Groups}', withGroups), values),
      }))
      return context
    },
  }
}
