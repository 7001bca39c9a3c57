import { ScimError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { createGroup, patchGroup, removeGroup, replaceGroup } from './change-group.ts'
import { patchUser, removeUser, replaceUser } from './change-user.ts'
import { isRead, type ScimContext, type ScimRequest, type ScimResponse } from './context.ts'
import { holdDirectory } from './directory.ts'
import { resourceTypes, schemaDocuments, serviceProviderConfig } from './discovery.ts'
import { getGroup, listGroups } from './groups.ts'
import { type ListQuery, listResponse, type Page, readListQuery, searchQuery } from './list-response.ts'
import { provisionUser } from './provision-user.ts'
import {
  awaitsActivation,
  discoveryNotFiltered,
  endpointNotFound,
  methodNotAllowed,
  notOffered,
  resourceNotFound,
} from './scim-refusals.ts'
import { requireStorable, requireText } from './stored-json.ts'
import { getUser, listUsers } from './users.ts'

/**
 * Carries out a request of a directory, whichever way it came.
 *
 * @throws ScimError or Problem for a refusal, of which `refusalOf` makes the response; the transaction must then be rolled back
 */
export async function carryOut(given: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  requireStorable(request.body)
  for (const value of Object.values(request.query)) if (value !== undefined) requireText(value)
  const context = isRead(request) ? given : { ...given, directory: await holdDirectory(given.tenant, given.directory) }
  const [, endpoint = '', id, ...more] = request.path.split('/')
  if (more.length > 0) throw endpointNotFound()
  const resources = endpoints.get(endpoint)
  if (resources) return atEndpoint(resources, context, request, id)
  switch (endpoint) {
    case 'ServiceProviderConfig':
      return onlyRead(request, () => serviceProviderConfig(context))
    case 'ResourceTypes':
      return onlyRead(request, () => resourceTypes(context, id))
    case 'Schemas':
      return onlyRead(request, () => schemaDocuments(context, id))
    case '.search':
      return searchAll(context, request)
    case 'Me':
    case 'Bulk':
      throw notOffered(`/${endpoint}`)
    default:
      throw endpointNotFound()
  }
}

/**
 * The response to a directory that no administrator has activated yet: discovery, and lists without a member, by which programs test that they
 * reach us. It learns of no user, and changes none.
 *
 * @throws ScimError as {@link carryOut}
 */
export async function carryOutBeforeActivation(context: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  const [, endpoint = '', id, ...more] = request.path.split('/')
  if (!endpoints.has(endpoint)) return isRead(request) && endpoint !== '.search' ? carryOut(context, request) : refuseBeforeActivation()
  const isList = more.length === 0 && ((id === undefined && request.method === 'GET') || (id === '.search' && request.method === 'POST'))
  return isList ? listResponse({ total: 0, resources: [] }, asked(request)) : refuseBeforeActivation()
}

const refuseBeforeActivation = (): never => {
  throw awaitsActivation()
}

/** The discovery documents are filtered by nothing: RFC 7644 §4. */
function onlyRead({ method, query }: ScimRequest, read: () => ScimResponse): ScimResponse {
  if (method !== 'GET') throw methodNotAllowed('GET')
  if (query.filter !== undefined) throw discoveryNotFiltered()
  return read()
}

const asked = ({ method, query, body }: ScimRequest): ListQuery =>
  readListQuery(method === 'POST' ? searchQuery(isObject(body) ? body : {}) : query)

interface Endpoint {
  id: RegExp
  list(context: ScimContext, query: ListQuery): Promise<Page>
  create(context: ScimContext, request: ScimRequest): Promise<ScimResponse>
  /** What a method does to one resource. */
  one: Readonly<Record<string, (context: ScimContext, request: ScimRequest, id: string) => Promise<ScimResponse>>>
}

// A Map: of an object, a path could name what every object has, such as `constructor`.
const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  [
    'Users',
    {
      id: /^usr_[0-9a-z]{1,40}$/,
      list: listUsers,
      create: provisionUser,
      one: { GET: getUser, PUT: replaceUser, PATCH: patchUser, DELETE: removeUser },
    },
  ],
  [
    'Groups',
    {
      id: /^grp_[0-9a-z]{1,40}$/,
      list: listGroups,
      create: createGroup,
      one: { GET: getGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: removeGroup },
    },
  ],
])

async function atEndpoint(
  { id: form, list, create, one }: Endpoint,
  context: ScimContext,
  request: ScimRequest,
  id: string | undefined,
): Promise<ScimResponse> {
  const { method } = request
  if (id === undefined && method === 'POST') return create(context, request)
  if ((id === undefined && method === 'GET') || (id === '.search' && method === 'POST')) {
    const query = asked(request)
    return listResponse(await list(context, query), query)
  }
  if (id === undefined) throw methodNotAllowed('GET, POST')
  if (id === '.search') throw methodNotAllowed('POST')
  const act = one[method]
  if (!act) throw methodNotAllowed(Object.keys(one).sort().join(', '))
  if (!form.test(id)) throw resourceNotFound()
  return act(context, request, id)
}

/** Searches users, and then groups: RFC 7644 §3.4.3. What a filter names has to be filterable of one of them. */
async function searchAll(context: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  if (request.method !== 'POST') throw methodNotAllowed('POST')
  const query = asked(request)
  const { startIndex, count } = query
  const users = await pageUnlessUnfit(() => listUsers(context, query))
  const before = users instanceof ScimError ? 0 : users.total
  const left = users instanceof ScimError ? count : count - users.resources.length
  const groups = await pageUnlessUnfit(() => listGroups(context, { ...query, startIndex: Math.max(1, startIndex - before), count: left }))
  const pages = [users, groups].filter((page): page is Page => !(page instanceof ScimError))
  if (pages.length === 0) throw users
  return listResponse({ total: sum(pages.map(({ total }) => total)), resources: pages.flatMap(({ resources }) => resources) }, query)
}

async function pageUnlessUnfit(read: () => Promise<Page>): Promise<Page | ScimError> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
    throw error
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
