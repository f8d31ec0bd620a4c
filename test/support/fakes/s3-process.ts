import { startFakeS3 } from '../s3-server.js';

// The address is told on stdout; the end of stdin tells that the test run is over.
const { url } = await startFakeS3();
process.stdout.write(`${JSON.stringify({ url })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
