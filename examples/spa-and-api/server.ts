import { createApp } from './app.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '', PORT = '4000' } = process.env

const app = await createApp({ gatehouseUrl: GATEHOUSE_URL, clientId: CLIENT_ID })
app.listen(Number(PORT), () => console.log(`Open http://localhost:${PORT}`))
