import { type Attribute, groupType, type ResourceType, type Schema, userType } from '../protocol/attributes.ts'
import type { JsonObject } from '../protocol/json.ts'
import { baseUrlOf, type ScimContext, type ScimResponse } from './context.ts'
import { countMax, listResponse } from './list-response.ts'
import { resourceNotFound } from './scim-refusals.ts'

type DiscoveryContext = Pick<ScimContext, 'publicUrl' | 'directory'>

const core = 'urn:ietf:params:scim:schemas:core:2.0'

/** What is offered: RFC 7643 §5. */
export const serviceProviderConfig = (context: DiscoveryContext): ScimResponse => ({
  status: 200,
  headers: {},
  body: {
    schemas: [`${core}:ServiceProviderConfig`],
    documentationUri: 'https://datatracker.ietf.org/doc/html/rfc7644',
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: countMax },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth Bearer Token',
        description: 'A token of the directory in the header Authorization',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrlOf(context)}/ServiceProviderConfig` },
  },
})

const types = [userType, groupType]
const schemas = [userType.schema, ...userType.extensions, groupType.schema]

const presentType = (context: DiscoveryContext, { name, endpoint, schema, extensions }: ResourceType): JsonObject => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint,
  description: schema.description,
  schema: schema.id,
  schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
  meta: { resourceType: 'ResourceType', location: `${baseUrlOf(context)}/ResourceTypes/${name}` },
})

const presentSchema = (context: DiscoveryContext, { id, name, description, attributes }: Schema): JsonObject => ({
  schemas: [`${core}:Schema`],
  id,
  name,
  description,
  attributes: attributes.map(presentAttribute),
  meta: { resourceType: 'Schema', location: `${baseUrlOf(context)}/Schemas/${id}` },
})

function presentAttribute({ subAttributes, canonicalValues, referenceTypes, ...attribute }: Attribute): JsonObject {
  return {
    ...attribute,
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(presentAttribute) }),
  }
}

/** RFC 7644 §4: without an id a list. */
export const resourceTypes = (context: DiscoveryContext, id: string | undefined): ScimResponse =>
  documentsOf(
    types.map((type) => presentType(context, type)),
    id,
  )

export const schemaDocuments = (context: DiscoveryContext, id: string | undefined): ScimResponse =>
  documentsOf(
    schemas.map((schema) => presentSchema(context, schema)),
    id,
  )

function documentsOf(documents: readonly JsonObject[], id: string | undefined): ScimResponse {
  if (id === undefined) return listResponse({ total: documents.length, resources: documents }, { startIndex: 1 })
  const found = documents.find((document) => String(document.id).toLowerCase() === id.toLowerCase())
  if (!found) throw resourceNotFound()
  return { status: 200, headers: {}, body: found }
}
