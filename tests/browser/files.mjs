// A plain file server, as cheap hosts have it: it guesses the kind of a file from its name, and adds no headers but the
// usual ones.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// Serves a folder. `change` makes the content to send from a path and what the file has, `headers` are sent with it.
// Returns the address, `sent`, the numbers of bytes by path, and `close`.
export async function serveFiles(folder, change = (_, content) => content, headers = {}) {
  const sent = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    if (!path.startsWith(folder) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const changed = statSync(path).mtime.toUTCString();
    if (request.headers["if-modified-since"] === changed) {
      response.writeHead(304).end();
      return;
    }
    const body = Buffer.from(change(pathname, readFileSync(path)));
    sent.set(pathname, (sent.get(pathname) ?? 0) + body.length);
    const kind = KINDS[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": kind, "Last-Modified": changed, ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { sent, close, address: `http://127.0.0.1:${server.address().port}/` };
}
