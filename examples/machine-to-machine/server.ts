import { createApi } from './api.ts'
import { createCaller } from './caller.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '4000' } = process.env

const api = createApi({ gatehouseUrl: GATEHOUSE_URL, audience: CLIENT_ID }).listen(Number(PORT), async () => {
  const apiUrl = `http://localhost:${PORT}`
  console.log(await createCaller({ gatehouseUrl: GATEHOUSE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, apiUrl }).stock())
  api.close()
})
