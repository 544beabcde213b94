import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { BUILT_AT, ClientFiles } from './client-files.js';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

/** Best first; browsers take Brotli over TLS and from this machine only. */
const ENCODINGS = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: (content: Buffer) => Promise.resolve(content),
} as const;
type Encoding = keyof typeof ENCODINGS;
const NAMES = Object.keys(ENCODINGS) as Encoding[];

interface CompressedFile {
  readonly etag: string;
  readonly body: Promise<Buffer>;
}

/** The dashboard's pages, scripts and styles, compressed at the first request for each and kept until the file changes. */
@Injectable()
export class CompressedAssets {
  private files: Promise<ReadonlyMap<string, string>> | undefined;
  private readonly kept = new Map<string, CompressedFile>();

  constructor(private readonly client: ClientFiles) {}

  /**
   * Answers with a file, compressed if the browser takes that; false if there is no such file.
   * @param path at which the file is served, or `PAGES_AT` with the name of a page
   */
  async send(request: Request, response: Response, path = request.path): Promise<boolean> {
    this.files ??= listFiles(this.client.folders);
    const file = (await this.files).get(path);
    // Asked for one by one: of several the browser's first would be taken, and browsers name gzip first.
    const encoding = NAMES.find((name) => request.acceptsEncodings(name));
    if (file === undefined || encoding === undefined) {
      return false;
    }
    const { etag, body } = await this.compressed(file, encoding);
    response.setHeader('Content-Type', TYPES[extname(file)] ?? '');
    if (encoding !== 'identity') {
      response.setHeader('Content-Encoding', encoding);
    }
    response.vary('Accept-Encoding');
    // Names without a hash are revalidated each time, so that a page never runs with scripts of another version.
    const isBuilt = path.startsWith(`${BUILT_AT}/`);
    response.setHeader('Cache-Control', isBuilt ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.setHeader('ETag', etag);
    response.send(await body);
    return true;
  }

  private async compressed(file: string, encoding: Encoding): Promise<CompressedFile> {
    const { size, mtimeMs } = await stat(file);
    const etag = `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${encoding}"`;
    const key = `${encoding} ${file}`;
    const known = this.kept.get(key);
    if (known?.etag === etag) {
      return known;
    }
    const body = readFile(file).then((content) => ENCODINGS[encoding](content));
    const made = { etag, body };
    this.kept.set(key, made);
    body.catch(() => this.kept.delete(key));
    return made;
  }
}

/** Files by the path that they are served at: only what is listed can be asked for. */
async function listFiles(folders: ClientFiles['folders']): Promise<ReadonlyMap<string, string>> {
  const lists = folders.map(async ([path, folder]) => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES);
    return names.map((name) => [`${path}/${name.replaceAll('\\', '/')}`, join(folder, name)] as const);
  });
  return new Map((await Promise.all(lists)).flat());
}
