import { useQuery } from '@tanstack/react-query'
import { connectionsQuery } from '../api/connections.ts'
import { useMay } from '../api/profile.ts'
import { Link } from '../ui/link.tsx'

/** A connection by its name, for users who may read it. */
export function ConnectionLink({ id }: { id: string }) {
  const enabled = useMay()('GET /v1/admin/connections')
  const { data } = useQuery({ ...connectionsQuery, enabled })
  if (!enabled) return id
  return (
    <Link to="/connections/$id/{-$tab}" params={{ id }} subtle>
      {data?.data.find((one) => one.id === id)?.name ?? id}
    </Link>
  )
}
