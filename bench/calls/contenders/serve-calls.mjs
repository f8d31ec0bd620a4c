import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../contenders/listen.mjs';

/**
 * Has an agent asked, and answers with what its functions were called with. `play` is given what there is to ask and a
 * function that notes a call; a fault ends the case, and what was called before it counts.
 */
export function serveCalls(play) {
  listen(
    createServer(async (req, res) => {
      const calls = [];
      const note = (name, given) => {
        calls.push({ name, arguments: given });
        return 'ok';
      };
      const { functions, questions } = await json(req);
      await play({ functions, questions, note }).catch(() => undefined);
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ calls }));
    }),
  );
}
