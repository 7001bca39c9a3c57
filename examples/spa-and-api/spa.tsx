import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const main = document.querySelector('main') as HTMLElement
const { gatehouse = '', client = '' } = main.dataset

function Orders() {
  const auth = useAuth()
  const token = auth.user?.access_token
  const [shown, show] = useState<{ orders?: string[]; refused?: string }>({})

  useEffect(() => {
    if (!token) return
    const headers = { authorization: `Bearer ${token}` }
    fetch('/api/orders', { headers })
      .then(async (response) => show(response.ok ? await response.json() : { refused: `The API has refused it: ${response.status}` }))
      .catch(() => show({ refused: 'The API is away' }))
  }, [token])

  if (auth.isLoading) return <p>One moment…</p>
  if (!auth.isAuthenticated)
    return (
      <>
        {auth.error && <p role="alert">{auth.error.message}</p>}
        <button type="button" onClick={() => auth.signinRedirect()}>
          Sign in
        </button>
      </>
    )
  return (
    <>
      <h1>{auth.user?.profile.email}</h1>
      {shown.refused && <p role="alert">{shown.refused}</p>}
      <ul>
        {shown.orders?.map((order) => (
          <li key={order}>{order}</li>
        ))}
      </ul>
      <button type="button" onClick={() => auth.signoutRedirect()}>
        Sign out
      </button>
    </>
  )
}

createRoot(main).render(
  <AuthProvider
    authority={gatehouse}
    client_id={client}
    redirect_uri={`${location.origin}/callback`}
    post_logout_redirect_uri={`${location.origin}/`}
    scope="openid profile email offline_access orders:read"
    // The code in the address has been used.
    onSigninCallback={() => history.replaceState(null, '', '/')}
  >
    <Orders />
  </AuthProvider>,
)
