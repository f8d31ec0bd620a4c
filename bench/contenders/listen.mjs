/** Listens on a free port, tells where, and ends with whoever started it. */
export function listen(server) {
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
  });
  process.stdin.resume().once('close', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
}
