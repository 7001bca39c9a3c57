import { auth0Users } from '../../import/auth0/users.ts'
import { importUsers } from '../../import/import-users.ts'
import { createImportReport } from '../../import/report.ts'
import { cliActor } from '../actor.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { withServices } from '../with-services.ts'
import { hasManyRows, linesOfReport, refuseUnreadable, runImport, showImport, type UsersOptions } from './report.ts'

interface Auth0Options extends UsersOptions {
  passwordHashes?: string
}

export async function auth0(path: string, options: Auth0Options): Promise<void> {
  await refuseUnreadable(path)
  const { passwordHashes } = options
  if (passwordHashes !== undefined) await refuseUnreadable(passwordHashes)
  const isBulk = await hasManyRows(path, ...(passwordHashes === undefined ? [] : [passwordHashes]))
  await withServices({ ...options, isBulk }, async ({ services }) => {
    const { id, slug } = await getOrganisation(services.database, options.organisation)
    const report = createImportReport()
    const source = auth0Users({ path, hashesPath: passwordHashes }, report)
    const users = await runImport(options, (shared) => importUsers(services, source, { ...shared, organisationId: id, actor: cliActor() }))
    const lines = report.lines()
    showImport(options, { users, report: lines }, { users, slug, lines: users.mistakeCount > 0 ? [] : linesOfReport(options, lines) })
  })
}
