import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../', import.meta.url)

/** What a file of `src/` imports as it is loaded: files of ours by their addresses, packages by their names. */
function importsOf(file: URL): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)(?! type)[^'"]*?(?:from )?'([^']+)'/gm)]
    .map(([, name = '']) => name)
    .map((name) => (name.startsWith('.') ? new URL(name, file).href : name))
}

function loadedBy(file: URL): Set<string> {
  const [loaded, waiting] = [new Set([file.href]), [file.href]]
  for (const one of waiting)
    for (const found of importsOf(new URL(one))) {
      if (loaded.has(found)) continue
      loaded.add(found)
      if (found.startsWith('file:') && found.endsWith('.ts')) waiting.push(found)
    }
  return loaded
}

describe('a service without directories', () => {
  it('loads neither what carries requests of SCIM out nor the grammar of its filters', () => {
    const started = loadedBy(new URL('app/features.ts', folder)).union(loadedBy(new URL('app/tasks.ts', folder)))
    const atFirstUse = loadedBy(new URL('directories/scim/carry-out.ts', folder))
    expect(started).toContain(new URL('directories/scim/routes.ts', folder).href)
    for (const one of ['directories/scim/carry-out.ts', 'directories/protocol/filter.ts', 'directories/scim/filter-to-sql.ts']) {
      expect(atFirstUse).toContain(new URL(one, folder).href)
      expect(started).not.toContain(new URL(one, folder).href)
    }
    expect(atFirstUse).toContain('scim2-parse-filter')
    expect(started).not.toContain('scim2-parse-filter')
  })
})
