import type { RecordedCall } from '../api/recorded-call.ts'

type Call = Pick<RecordedCall, 'method' | 'path' | 'requestBody' | 'status'>

/** What the description of the API says of the operation that a call is of. */
export interface CalledOperation {
  /** The path with its parameters in braces. */
  template: string
  /** The parameters of the query that are no texts. */
  query: Partial<Record<string, 'number' | 'boolean' | 'list'>>
}

/** The call with an API key, for a shell. */
export function asCurl({ method, path, requestBody }: Call, origin: string): string {
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    `-H "Authorization: Bearer $GATEHOUSE_API_KEY"`,
    ...(requestBody === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(requestBody))}`]),
  ]
  return lines.join(' \\\n  ')
}

export function asFetch({ method, path, requestBody, status }: Call, origin: string): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to be copied
    'Authorization: `Bearer ${process.env.GATEHOUSE_API_KEY}`',
    ...(requestBody === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  // An address may contain an apostrophe, which would end the text.
  const url = `${origin}${path}`.replaceAll("'", '%27')
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: { ${headers.join(', ')} },${requestBody === undefined ? '' : `\n  body: JSON.stringify(${literal(requestBody)}),`}
})${status === 204 ? '' : '\nconst answer = await response.json()'}`
}

/** The call with types that openapi-typescript generates from /openapi.json. */
export function asOpenapiFetch(
  { method, path, requestBody, status }: Call,
  origin: string,
  operation: CalledOperation | undefined,
): string {
  const [pathname = '', query = ''] = path.split('?')
  const { template, query: kinds } = operation ?? { template: pathname, query: {} }
  const options = {
    ...parameters(template, pathname, queryOf(new URLSearchParams(query), kinds)),
    ...(requestBody !== undefined && { body: requestBody }),
  }
  const results = status === 204 ? 'error' : 'data, error'
  return `const api = createClient<paths>({
  baseUrl: '${origin}',
  headers: { Authorization: \`Bearer \${process.env.GATEHOUSE_API_KEY}\` },
})
const { ${results} } = await api.${method}('${template}'${Object.keys(options).length > 0 ? `, ${literal(options)}` : ''})`
}

function parameters(template: string, pathname: string, query: Record<string, unknown>) {
  const values = pathname.split('/')
  const path = template
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(values[index] ?? '')]] : []))
  const params = {
    ...(path.length > 0 && { path: Object.fromEntries(path) }),
    ...(Object.keys(query).length > 0 && { query }),
  }
  return Object.keys(params).length > 0 ? { params } : {}
}

function queryOf(query: URLSearchParams, kinds: CalledOperation['query']): Record<string, unknown> {
  const partOf = (name: string) => {
    const [first = '', ...others] = query.getAll(name)
    if (kinds[name] === 'number') return Number(first)
    if (kinds[name] === 'boolean') return first === 'true'
    return kinds[name] === 'list' || others.length > 0 ? [first, ...others] : first
  }
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, partOf(name)]))
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Serialises a value as JavaScript, with unquoted names. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
