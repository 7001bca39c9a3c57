import { operationOf } from '../api/operations.ts'
import type { RecordedCall } from '../api/recorder.ts'

type Call = Pick<RecordedCall, 'method' | 'path' | 'requestBody'>

/** The call with an API key, for a shell. */
export function asCurl({ method, path, requestBody }: Call): string {
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(location.origin + path)}`,
    `-H "Authorization: Bearer $GATEHOUSE_API_KEY"`,
    ...(requestBody === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(requestBody))}`]),
  ]
  return lines.join(' \\\n  ')
}

export function asFetch({ method, path, requestBody }: Call): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to be copied
    'Authorization: `Bearer ${process.env.GATEHOUSE_API_KEY}`',
    ...(requestBody === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  return `const response = await fetch('${location.origin}${path}', {
  method: '${method}',
  headers: { ${headers.join(', ')} },${requestBody === undefined ? '' : `\n  body: JSON.stringify(${literal(requestBody)}),`}
})
const answer = await response.json()`
}

/** The call with types that openapi-typescript generates from /openapi.json. */
export function asOpenapiFetch({ method, path, requestBody }: Call): string {
  const template = operationOf(method, path)?.split(' ')[1] ?? path
  const [pathname = '', query = ''] = path.split('?')
  const options = {
    ...parameters(template, pathname, query),
    ...(requestBody !== undefined && { body: requestBody }),
  }
  return `const api = createClient<paths>({
  baseUrl: '${location.origin}',
  headers: { Authorization: \`Bearer \${process.env.GATEHOUSE_API_KEY}\` },
})
const { data, error } = await api.${method}('${template}'${Object.keys(options).length > 0 ? `, ${literal(options)}` : ''})`
}

function parameters(template: string, pathname: string, query: string) {
  const values = pathname.split('/')
  const path = template.split('/').flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), values[index]]] : []))
  const params = {
    ...(path.length > 0 && { path: Object.fromEntries(path) }),
    ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
  }
  return Object.keys(params).length > 0 ? { params } : {}
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Serialises a value as JavaScript, with unquoted names. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
