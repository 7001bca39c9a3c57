import { useRecordKeys } from '../../parts/use-record-keys.ts'

const isList = (path: string) => path === '/diagnostics' || /^\/applications\/[^/]+\/refusals$/.test(path)
const paramsOf = ({ id }: { id: string }) => ({ reference: id })

/** The shortcuts of a refused request, loaded after its page. */
export function RefusalKeys({ reference }: { reference: string }) {
  useRecordKeys({ isList, id: reference, paramsOf, isEdited: false })
  return null
}
