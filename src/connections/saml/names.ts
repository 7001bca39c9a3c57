/** The namespaces of SAML 2.0, its metadata, and of XML signatures and encryption. */
export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  encryption11: 'http://www.w3.org/2009/xmlenc11#',
} as const

export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
export const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const transientFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
export const unspecifiedFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

export const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
export const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
