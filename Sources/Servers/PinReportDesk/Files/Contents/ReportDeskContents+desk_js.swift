// This file is generated: change the files in Sources/Servers/PinReportDesk/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension ReportDeskContents {
    /// The contents of `desk.js`.
    static let desk_js = ##"""
// The report desk: reloads the contents of a page when the server says that reports or states have changed. The pages
// work without this script. The server renders and escapes all markup.

const byId = (id) => document.getElementById(id);
const staleAfter = 30000;
const longestWait = 30000;

let heard = Date.now();
let source = null;
let failures = 0;
let isOver = false;
let version = document.querySelector('meta[name="desk-version"]')?.content ?? null;
let isLoading = false;
let isChanged = false;

// MARK: Times

function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    time.title = time.textContent;
    time.textContent = date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

// MARK: Contents

// A person who types, or has selected text, must not lose it.
function isInUse() {
  const active = document.activeElement;
  if (active?.closest("#filter") && active.matches("input, select")) return true;
  return !(getSelection()?.isCollapsed ?? true);
}

// Names an element, so that the same one of the new contents gets the focus.
function place(element) {
  if (!element || !byId("main").contains(element)) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
  const figure = element.closest("[id]");
  return figure && element.matches("summary") ? `#${CSS.escape(figure.id)} summary` : null;
}

async function load() {
  if (isLoading) {
    isChanged = true;
    return;
  }
  isLoading = true;
  try {
    do {
      isChanged = false;
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      if (answer.redirected && new URL(answer.url).pathname === "/desk/sign-in") return end();
      if (!answer.ok) return;
      const markup = await answer.text();
      // A parsed document runs no scripts.
      const parsed = new DOMParser().parseFromString(markup, "text/html");
      const main = parsed.getElementById("main");
      if (!main || isInUse()) return;
      show(document.importNode(main, true));
    } while (isChanged);
  } catch {
    // The server cannot be reached. The stream notices it, too.
  } finally {
    isLoading = false;
  }
}

function show(main) {
  const old = byId("main");
  const focused = place(document.activeElement);
  const open = [...old.querySelectorAll("details")].map((details) => details.open);
  const scrolled = [...old.querySelectorAll(".scroll")].map((element) => element.scrollLeft);
  localTimes(main);
  old.replaceChildren(...main.childNodes);
  const details = [...old.querySelectorAll("details")];
  if (details.length === open.length) details.forEach((element, index) => { element.open = open[index]; });
  [...old.querySelectorAll(".scroll")].forEach((element, index) => { element.scrollLeft = scrolled[index] ?? 0; });
  if (focused) (old.querySelector(focused) ?? old).focus({ preventScroll: true });
}

// MARK: The stream

function connect() {
  source?.close();
  source = new EventSource("/desk/events");
  source.onmessage = (message) => {
    heard = Date.now();
    failures = 0;
    byId("stale").hidden = true;
    const event = JSON.parse(message.data);
    if (event.kind === "end") return end();
    if (event.kind !== "version") return;
    if (version !== event.version) load();
    version = event.version;
  };
  source.onerror = () => {
    source.close();
    if (isOver) return;
    failures += 1;
    const wait = Math.min(longestWait, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2);
    setTimeout(reconnect, wait);
  };
}

// An EventSource does not tell why it failed. The session may have ended.
async function reconnect() {
  try {
    const answer = await fetch("/desk/incidents.json?limit=1", { headers: { Accept: "application/json" } });
    if (answer.status === 401) return end();
  } catch {
    // The server cannot be reached: try again later.
  }
  connect();
}

function end() {
  isOver = true;
  source?.close();
  byId("stale").hidden = true;
  byId("ended").hidden = false;
}

setInterval(() => {
  if (!isOver) byId("stale").hidden = Date.now() - heard < staleAfter;
}, 1000);

localTimes(document);
connect();

"""##
}
