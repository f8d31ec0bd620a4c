import { refusal } from '../faults.js';
import { asked, fetchOnHost, wholeBody } from '../requests.js';

export interface GitDeps {
  /** Through the guard. */
  readonly fetch: typeof fetch;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** A repository that answers, and what its server can do. */
export interface GitServer {
  readonly url: string;
  /** Whether trees can be had without the files (partial clone). */
  readonly filters: boolean;
}

const MOST_ANSWER = 1024 * 1024;
const FLUSH = '0000';
const DELIMITER = '0001';

const packet = (line: string): string => (line.length + 4).toString(16).padStart(4, '0') + line;

/** Any name will do with GitHub, GitLab, Gitea and Forgejo; Bitbucket wants this one. */
const USER = 'x-token-auth';

function headersOf(token: string | undefined): Record<string, string> {
  const credentials = token && Buffer.from(`${USER}:${token}`).toString('base64');
  return {
    'user-agent': 'git/bellwether',
    'git-protocol': 'version=2',
    ...(credentials ? { authorization: `Basic ${credentials}` } : {}),
  };
}

/** Asks for what the server can do (gitprotocol-http, gitprotocol-v2). */
export async function connect(repository: string, { fetch, token, signal }: GitDeps): Promise<GitServer> {
  const address = `${repository.replace(/\/+$/, '')}/info/refs?service=git-upload-pack`;
  const { response, url } = await fetchOnHost(fetch, address, { signal, headers: headersOf(token) });
  await refuse(response, token);
  const lines = textLines(await wholeBody(response, MOST_ANSWER));
  if (!lines.includes('version 2'))
    throw refusal(
      'git_old_protocol',
      'This is no Git repository, or its server speaks only the old protocol (before version 2).',
    );
  const format = lines.find((line) => line.startsWith('object-format='));
  if (format !== undefined && format !== 'object-format=sha1')
    throw refusal('git_sha256', 'The repository numbers its objects by SHA-256, which is not read here.');
  const abilities =
    lines
      .find((line) => line.startsWith('fetch='))
      ?.slice('fetch='.length)
      .split(' ') ?? [];
  return { url: url.replace(/\/info\/refs\?.*$/, ''), filters: abilities.includes('filter') };
}

async function refuse(response: Response, token: string | undefined): Promise<void> {
  if (response.status === 200) return;
  await response.body?.cancel();
  if ([401, 403, 404].includes(response.status))
    throw token === undefined
      ? refusal('git_not_public', 'The repository was not found, or is not public: then it needs a token.')
      : refusal('git_token', 'The repository was not found, or the token may not read it, or has expired.');
  throw refusal(
    'git_status',
    `The repository's server answered with status ${String(response.status)}.`,
    response.status,
  );
}

async function command(server: GitServer, lines: readonly string[], deps: GitDeps): Promise<Response> {
  const headers = {
    ...headersOf(deps.token),
    'content-type': 'application/x-git-upload-pack-request',
    accept: 'application/x-git-upload-pack-result',
  };
  const { signal } = deps;
  const init = { method: 'POST', headers, body: lines.join(''), redirect: 'manual', signal } as const;
  const response = await asked(() => deps.fetch(`${server.url}/git-upload-pack`, init));
  await refuse(response, deps.token);
  return response;
}

/** The commit that a branch is at; that of the branch the repository itself chooses when none is named. */
export async function commitOf(
  server: GitServer,
  branch: string | undefined,
  deps: GitDeps,
): Promise<string> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const request = [packet('command=ls-refs\n'), DELIMITER, packet(`ref-prefix ${ref}\n`), FLUSH];
  const lines = textLines(await wholeBody(await command(server, request, deps), MOST_ANSWER));
  const found = lines.find((line) => line.slice(41).split(' ')[0] === ref)?.slice(0, 40);
  if (found !== undefined && isHash(found)) return found;
  throw branch === undefined
    ? refusal('git_empty', 'The repository is empty.')
    : refusal('git_no_branch', `The branch "${branch}" of the repository was not found.`, branch);
}

const isHash = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** A pack with these objects; of a commit all it needs but its history, and with `trees` without the files. */
export async function fetchPack(
  server: GitServer,
  {
    wants,
    trees = false,
    mostBytes,
  }: { readonly wants: readonly string[]; readonly trees?: boolean; readonly mostBytes: number },
  deps: GitDeps,
): Promise<Buffer> {
  const request = [
    packet('command=fetch\n'),
    DELIMITER,
    ...['no-progress\n', 'ofs-delta\n', 'deepen 1\n'].map(packet),
    ...(trees ? [packet('filter blob:none\n')] : []),
    ...wants.map((hash) => packet(`want ${hash}\n`)),
    packet('done\n'),
    FLUSH,
  ];
  return packIn(await wholeBody(await command(server, request, deps), mostBytes));
}

/** After the section's name each packet begins with the channel it belongs to: data, progress, or a fault. */
function packIn(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  let isPack = false;
  for (const line of packets(answer)) {
    if (!isPack) isPack = line.toString('utf8').trim() === 'packfile';
    else if (line[0] === 1) parts.push(line.subarray(1));
    else if (line[0] === 3)
      throw refusal('git_broke_off', 'The repository could not be read: its server broke off.');
  }
  return Buffer.concat(parts);
}

function textLines(answer: Buffer): readonly string[] {
  const lines = [...packets(answer)].map((line) => line.toString('utf8').replace(/\n$/, ''));
  if (lines.some((line) => line.startsWith('ERR ')))
    throw refusal('git_refuses', "The repository's server refuses to be read.");
  return lines;
}

/** Lines of four hexadecimal digits with their length and so much text (gitprotocol-common). */
function* packets(answer: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= answer.length;) {
    const length = /^[0-9a-f]{4}$/i.exec(answer.toString('latin1', at, at + 4));
    const size = length ? Number.parseInt(length[0], 16) : -1;
    // The first three are marks: an end, a boundary, the end of an answer.
    if (size >= 0 && size < 4) at += 4;
    else if (size < 4 || at + size > answer.length)
      throw refusal('git_none', 'This is no Git repository, or its answer was cut short.');
    else {
      yield answer.subarray(at + 4, at + size);
      at += size;
    }
  }
}
