import type { ApiRecord } from './kind.ts'
import type { Api } from './open-api.ts'

const pageSize = 200

interface Page {
  data: ApiRecord[]
  nextCursor: string | null
}

/** The records of a list. Pages are fetched as they are needed. @param most the largest number of records to fetch */
export async function* recordsOf(
  { call }: Api,
  path: string,
  filters: Readonly<Record<string, string | readonly string[]>>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<ApiRecord> {
  let left = most
  for (let cursor: string | null = ''; cursor !== null && left > 0; ) {
    const query = new URLSearchParams({ limit: String(Math.min(left, pageSize)), ...(cursor && { cursor }) })
    for (const [name, value] of Object.entries(filters)) for (const one of [value].flat()) query.append(name, one)
    const page: Page = await call<Page>('GET', path, { query })
    yield* page.data
    left -= page.data.length
    cursor = page.nextCursor
  }
}
