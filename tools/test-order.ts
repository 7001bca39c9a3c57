/**
 * The order in which a run takes the files of a project. Without a cache vitest goes by their sizes, and small files that take minutes come
 * last: the run then waits for each of them alone, while the other workers have nothing left to do.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than a minute each, the slowest first. One that is missing here only makes a run a little longer. */
const slowest = [
  'test/new.test.ts',
  'test/cli/database-backup.test.ts',
  'test/cli/verify.test.ts',
  'test/faults/restore-interrupted.test.ts',
  'test/operations/data-dir.test.ts',
  'test/cli/program.test.ts',
  'test/faults/made-and-ended.test.ts',
  'test/console/every-overlay.test.ts',
  'test/console/every-page.test.ts',
  'test/console/permissions.test.ts',
  'test/cli/database-move.test.ts',
  'test/operations/start-failures-by-database.test.ts',
  'test/operations/start.test.ts',
  'test/cli/organisation-transfer.test.ts',
  'test/pages/account-in-browser.test.ts',
  'test/operations/upgrade-under-load.test.ts',
  'test/operations/data-dir-owner.test.ts',
  'test/cli/keys.test.ts',
  'test/cli/import-users.test.ts',
  'test/cli/migrate-rehearsal.test.ts',
  'test/cli/configuration.test.ts',
  'test/cli/import-consequences.test.ts',
  'test/console/types.test.ts',
  'test/console/keyboard.test.ts',
  'test/connections/presets-in-browser.test.ts',
  'test/pages/passkeys-in-browser.test.ts',
  'test/pages/docs.test.ts',
  'test/operations/replica-processes.test.ts',
  'test/operations/package.test.ts',
  'test/doctor/pooler.test.ts',
  'test/documents/examples.test.ts',
  'test/connections/generated-arrivals.test.ts',
  'test/connections/races.test.ts',
  'test/admin/list-plans.test.ts',
  'test/faults/clock-jump.test.ts',
  'test/operations/npm-start.test.ts',
  'test/idempotency/two-processes.test.ts',
]

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // Workers stay with a project, as they have loaded what it needs: only the slowest file of all is taken out of its project.
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = slowest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return rank === -1 ? slowest.length : rank
    }
    const placeOf = (one: TestSpecification) => (rankOf(one) === 0 ? -1 : projects.indexOf(one.project.name))
    return sorted.sort((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b))
  }
}
