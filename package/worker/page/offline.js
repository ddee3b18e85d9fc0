// Keeps the page in the browser, so that it works offline after the first visit. `package/web` puts VERSION and FILES
// before this text; with them the file changes, and the browser installs the new version beside the old one. It takes the
// place of the old one when no page of that is open any more.
/* global VERSION, FILES */

const CACHE = `tengen-${VERSION}`;

// The networks, which worker.js keeps.
const NETWORKS = "tengen-networks";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith("tengen-") && name !== CACHE && name !== NETWORKS) await caches.delete(name);
  }
}

self.addEventListener("fetch", (event) => {
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
