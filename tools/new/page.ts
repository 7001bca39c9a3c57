import { fill, namesOf } from './names.ts'
import type { Skeleton } from './skeleton.ts'

/** A hosted page without a form. */
export function page(name: string): Skeleton {
  const names = namesOf(name)
  const { kebab, camel } = names
  return {
    files: { [`src/pages/${kebab}.ts`]: fill(source, names), [`test/pages/${kebab}.test.ts`]: fill(test, names) },
    insertions: [
      { file: 'src/pages/routes.ts', before: 'import { accountPage }', lines: `import { ${camel}Page } from './${kebab}.ts'` },
      { file: 'src/pages/routes.ts', after: '      loggedOutPage,', lines: `      ${camel}Page,` },
      { file: 'src/pages/catalogue/en.ts', before: '  logout: {', lines: fill(english, names) },
      { file: 'src/pages/catalogue/de.ts', before: '  logout: {', lines: fill(german, names) },
    ],
    left: [
      'src/pages/catalogue/{en,de}.ts: its texts',
      `src/pages/${kebab}.ts: what it shows; a page with a form is one \`definePage\`, as in src/pages/account-changes.ts`,
      `test/pages/${kebab}.test.ts: what it shows and does`,
      'test/pages/every-page.ts, only if it has several states or cannot be opened by its address',
      'CHANGELOG.md',
    ],
  }
}

const source = `/** /{{kebab}} */
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { pageRoute } from './define-page.ts'
import { heading, sendPage } from './layout.ts'
import { type PageDependencies, viewOf } from './view.ts'

export const {{camel}}Page = (dependencies: PageDependencies) => async (app: App) => {
  app.get('/{{kebab}}', pageRoute, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const { title, lead } = view.texts.{{camel}}
    return sendPage(reply, view, { title, body: html\`\${heading(title, lead)}\` })
  })
}
`

const english = `  {{camel}}: {
    title: '{{Words}}',
    lead: 'What this page is for.',
  },`

const german = `  {{camel}}: {
    title: '{{Words}}',
    lead: 'Wozu diese Seite da ist.',
  },`

const test = `import { expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

it('the page /{{kebab}} says what it is for', async () => {
  expect(await service().anonymous.get('/{{kebab}}')).toMatchObject({ status: 200, body: expect.stringContaining('What this page is for.') })
})
`
