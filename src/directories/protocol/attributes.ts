/** The attributes of our resources: RFC 7643 §4, §7 and §8.7.1. Filters, PATCH and `/Schemas` read this one list. */

export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime'
  description: string
  multiValued: boolean
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'
  returned: 'always' | 'default' | 'never'
  uniqueness: 'none' | 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: readonly string[]
  subAttributes?: readonly Attribute[]
}

export interface Schema {
  id: string
  name: string
  description: string
  attributes: readonly Attribute[]
}

export interface ResourceType {
  name: 'User' | 'Group'
  endpoint: '/Users' | '/Groups'
  schema: Schema
  extensions: readonly Schema[]
}

type Details = Partial<Omit<Attribute, 'name' | 'type' | 'description'>>

const attribute = (name: string, type: Attribute['type'], description: string, details: Details = {}): Attribute => ({
  name,
  type,
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...details,
})

const text = (name: string, description: string, details?: Details) => attribute(name, 'string', description, details)

/** A list of values that each have a type, and of which one can be the main one: RFC 7643 §2.4. */
const values = (name: string, description: string, canonicalValues: readonly string[], type: 'string' | 'reference' = 'string') =>
  attribute(name, 'complex', description, {
    multiValued: true,
    subAttributes: [
      attribute('value', type, 'The value itself.', type === 'reference' ? { caseExact: true, referenceTypes: ['external'] } : {}),
      text('display', 'How the value is shown.'),
      text('type', 'What the value is for.', canonicalValues.length > 0 ? { canonicalValues } : {}),
      attribute('primary', 'boolean', 'Whether it is the main one of the list.'),
    ],
  })

/** What every resource has: RFC 7643 §3.1. It is in no schema. */
const commonAttributes: readonly Attribute[] = [
  text('id', 'The identifier that Gatehouse has given.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'The identifier that the directory has given.', { caseExact: true }),
  attribute('meta', 'complex', 'What Gatehouse says of the resource.', {
    mutability: 'readOnly',
    subAttributes: [
      text('resourceType', 'The kind of resource.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'dateTime', 'When it was created.', { mutability: 'readOnly' }),
      attribute('lastModified', 'dateTime', 'When it was last changed.', { mutability: 'readOnly' }),
      attribute('location', 'reference', 'Its address.', { caseExact: true, mutability: 'readOnly', referenceTypes: ['uri'] }),
      text('version', 'Its entity tag.', { caseExact: true, mutability: 'readOnly' }),
    ],
  }),
]

const user: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A user of the organisation.',
  attributes: [
    text('userName', 'The name by which the directory knows the user.', { required: true, uniqueness: 'server' }),
    attribute('name', 'complex', 'The parts of the name.', {
      subAttributes: [
        text('formatted', 'The whole name.'),
        text('familyName', 'The last name.'),
        text('givenName', 'The first name.'),
        text('middleName', 'The middle names.'),
        text('honorificPrefix', 'What stands before the name, such as a title.'),
        text('honorificSuffix', 'What stands after the name.'),
      ],
    }),
    text('displayName', 'The name as it is shown.'),
    text('nickName', 'The casual name.'),
    attribute('profileUrl', 'reference', 'A page about the user.', { caseExact: true, referenceTypes: ['external'] }),
    text('title', 'The job title.'),
    text('userType', 'How the user belongs to the organisation.'),
    text('preferredLanguage', 'The languages of the user, as in Accept-Language.'),
    text('locale', 'The language by which dates and numbers are written.'),
    text('timezone', 'The time zone, as in the IANA database.'),
    attribute('active', 'boolean', 'Whether the user may sign in.'),
    text('password', 'It is accepted and never stored.', { mutability: 'writeOnly', returned: 'never' }),
    values('emails', 'The addresses. The main one is the address of the account.', ['work', 'home', 'other']),
    values('phoneNumbers', 'The telephone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    values('ims', 'The addresses for instant messages.', []),
    values('photos', 'The pictures.', ['photo', 'thumbnail'], 'reference'),
    attribute('addresses', 'complex', 'The postal addresses.', {
      multiValued: true,
      subAttributes: [
        text('formatted', 'The whole address.'),
        text('streetAddress', 'The street and the number.'),
        text('locality', 'The town.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country, as in ISO 3166-1.'),
        text('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'boolean', 'Whether it is the main one of the list.'),
      ],
    }),
    attribute('groups', 'complex', 'The groups of the user.', {
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        text('value', 'The identifier of the group.', { caseExact: true, mutability: 'readOnly' }),
        attribute('$ref', 'reference', 'The address of the group.', { caseExact: true, mutability: 'readOnly', referenceTypes: ['Group'] }),
        text('display', 'The name of the group.', { mutability: 'readOnly' }),
        text('type', 'How the user belongs to it.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
      ],
    }),
    values('entitlements', 'What the directory says that the user may have.', []),
    values('roles', 'The roles that the directory gives. Only those that the directory maps have an effect.', []),
    values('x509Certificates', 'The certificates.', []),
  ],
}

const enterpriseUser: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What companies say of their users.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost centre.'),
    text('organization', 'The organisation.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    attribute('manager', 'complex', 'The manager of the user.', {
      subAttributes: [
        text('value', 'The identifier of the manager.', { caseExact: true }),
        attribute('$ref', 'reference', 'The address of the manager.', { caseExact: true, referenceTypes: ['User'] }),
        text('displayName', 'The name of the manager.'),
      ],
    }),
  ],
}

const group: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of users.',
  attributes: [
    text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    attribute('members', 'complex', 'The users of the group.', {
      multiValued: true,
      subAttributes: [
        text('value', 'The identifier of the user.', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'reference', 'The address of the user.', { caseExact: true, mutability: 'immutable', referenceTypes: ['User'] }),
        text('display', 'The name of the user.', { mutability: 'readOnly' }),
        text('type', 'The kind of member.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ],
}

export const userType: ResourceType = { name: 'User', endpoint: '/Users', schema: user, extensions: [enterpriseUser] }
export const groupType: ResourceType = { name: 'Group', endpoint: '/Groups', schema: group, extensions: [] }

/** Names of attributes are compared without case: RFC 7643 §2.1. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const sought = name.toLowerCase()
  return attributes.find((one) => one.name.toLowerCase() === sought)
}

/** The attributes that stand at the top of a resource of this type. */
export const topAttributes = ({ schema }: ResourceType): readonly Attribute[] => [...commonAttributes, ...schema.attributes]

/** Whether this is the URN of the type's own schema, which is compared without case. */
export const isCoreUrn = ({ schema }: ResourceType, urn: string): boolean => schema.id.toLowerCase() === urn.toLowerCase()

/** The extension of this type with this URN, which is compared without case. */
export function findExtension({ extensions }: ResourceType, urn: string): Schema | undefined {
  return extensions.find(({ id }) => id.toLowerCase() === urn.toLowerCase())
}
