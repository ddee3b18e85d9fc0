// Keeps the page in the browser, so that it works offline after the first visit. `package/web` puts VERSION, FILES and
// NETWORK_FILES before this text; with them the file changes, and the browser installs the new version beside the old
// one. It takes the place of the old one when no page of that is open any more.
/* global VERSION, FILES, NETWORK_FILES */

// The address of this copy of the page, part of the name of its cache: a browser keeps the caches of all copies on a server
// together.
const SCOPE = self.registration.scope;

const CACHE = `tengen-${VERSION} ${SCOPE}`;

// The networks, which worker.js keeps.
const NETWORKS = "tengen-networks";

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([keepPage(), renewNetworks()]));
});

self.addEventListener("activate", (event) => {
  // A rule may have been played since the installation.
  const renewed = renewNetworks().then(forgetNetworks);
  event.waitUntil(Promise.all([forgetPages(), renewed]).then(() => self.clients.claim()));
});

// Without "no-cache" the browser's own cache may answer with files of an older version.
async function keepPage() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function forgetPages() {
  for (const name of await caches.keys()) {
    if (name.startsWith("tengen-") && name.endsWith(` ${SCOPE}`) && name !== CACHE) await caches.delete(name);
  }
}

const networks = NETWORK_FILES.map((file) => new URL(file, self.location).href);

// The address of a network without its checksum: the same for a rule in all versions.
const withoutChecksum = (network) => network.replace(/-\d+\.net$/, "");

// The folder of the networks of this copy of the page.
const FOLDER = new URL("networks/", SCOPE).href;

const keptNetworks = async (cache) =>
  (await cache.keys()).map(({ url }) => url).filter((url) => url.startsWith(FOLDER));

// Loads the networks of the rules that were played with an older version, so that they can be played offline. The browser
// may refuse to keep them; their first game loads them then.
async function renewNetworks() {
  const cache = await caches.open(NETWORKS);
  const kept = await keptNetworks(cache);
  const played = new Set(kept.map(withoutChecksum));
  const missing = networks.filter((network) => played.has(withoutChecksum(network)) && !kept.includes(network));
  await cache.addAll(missing).catch(() => {});
}

async function forgetNetworks() {
  const cache = await caches.open(NETWORKS);
  for (const kept of await keptNetworks(cache)) {
    if (!networks.includes(kept)) await cache.delete(kept);
  }
}

self.addEventListener("fetch", (event) => {
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
