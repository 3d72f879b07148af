// This file is generated: change the files in Sources/Servers/ChatDevServer/Desk/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension DeskContents {
    /// The contents of `desk.js`.
    static let desk_js = ##"""
// The operator desk: makes the pages, which work without this script, follow the conversations.
// The server renders and escapes all markup. This script only puts elements of the desk's own stream into place.

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? null;
const byId = (id) => document.getElementById(id);
const form = meta("desk-form");
const client = meta("desk-client");
const staleAfter = 20000;
const longestWait = 10000;

let position = meta("desk-position");
let clockOffset = Number(meta("desk-now") ?? Date.now()) - Date.now();
let heard = Date.now();
let source = null;
let failures = 0;
let isOver = false;

const serverNow = () => Date.now() + clockOffset;

// MARK: Elements

// Returns the first element of markup from the server. A parsed document runs no scripts.
function element(markup) {
  return document.importNode(new DOMParser().parseFromString(markup, "text/html").body, true).firstElementChild;
}

// Replaces the children of an element. The focus stays on the control with the same id.
function fill(target, markup) {
  const parsed = document.importNode(new DOMParser().parseFromString(markup, "text/html").body, true);
  const focused = target.contains(document.activeElement) ? document.activeElement.id : null;
  target.replaceChildren(...parsed.childNodes);
  if (focused !== null) (byId(focused) ?? target.querySelector("button"))?.focus();
}

function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    const today = date.toDateString() === new Date().toDateString();
    time.textContent = today
      ? date.toLocaleTimeString([], { timeStyle: "short" })
      : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

function span(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

// MARK: The inbox

const inbox = document.querySelector("#inbox ol");

function before(left, right) {
  const since = [left, right].map((row) => (row.dataset.since ? Number(row.dataset.since) : Infinity));
  if (since[0] !== since[1]) return since[0] < since[1];
  return since[0] === Infinity && Number(left.dataset.date) > Number(right.dataset.date);
}

function putRow(row) {
  const old = [...inbox.children].find((item) => item.dataset.id === row.dataset.id);
  const hadFocus = old?.contains(document.activeElement) ?? false;
  old?.remove();
  const next = [...inbox.children].find((item) => before(row, item));
  inbox.insertBefore(row, next ?? null);
  if (hadFocus) row.querySelector("a")?.focus();
  document.querySelector("#inbox .none")?.remove();
}

function showWaiting() {
  let waiting = 0;
  for (const row of inbox?.children ?? []) {
    if (!row.dataset.since) continue;
    waiting += 1;
    const seconds = Math.max(0, Math.floor((serverNow() - Number(row.dataset.since)) / 1000));
    row.dataset.waiting = String(seconds);
    const label = row.querySelector(".wait");
    if (label && label.textContent !== span(seconds)) label.textContent = span(seconds);
  }
  document.title = (waiting > 0 ? `(${waiting}) ` : "") + document.title.replace(/^\(\d+\) /, "");
}

// MARK: The conversation

const messages = byId("messages");
const list = messages?.querySelector("ol");
const typing = byId("typing");
let typingEnds = 0;

// Whether the end of the conversation stays in view. Only scrolling up changes that: a growing list does not.
let follows = false;
let lastTop = 0;

function showEnd() {
  messages.scrollTop = messages.scrollHeight;
  lastTop = messages.scrollTop;
  follows = true;
}

function scrolled() {
  const isAtEnd = messages.scrollHeight - messages.scrollTop - messages.clientHeight < 80;
  if (isAtEnd) follows = true;
  else if (messages.scrollTop < lastTop) follows = false;
  lastTop = messages.scrollTop;
}

function putMessage(id, markup) {
  const old = [...list.children].find((item) => item.dataset.id === id);
  // A page of older messages shows only changes of its own messages.
  if (!old && messages.dataset.end !== "true") return;
  const item = element(markup);
  localTimes(item);
  if (old) old.replaceWith(item);
  else list.append(item);
  if (follows) showEnd();
}

function showTyping(text, milliseconds) {
  typing.textContent = text;
  typingEnds = text ? Date.now() + milliseconds : 0;
}

async function markAsRead() {
  if (!client || document.hidden || !document.hasFocus() || messages?.dataset.end !== "true") return;
  const unread = [...messages.querySelectorAll('[data-author="client"]')].at(-1);
  const status = unread?.querySelector(".status")?.dataset.status;
  if (!unread || !status || status === "read") return;
  await post("read", { through: unread.dataset.id }).catch(() => {});
  byId("read")?.remove();
}

// MARK: The stream

const handlers = {
  beat(event) {
    clockOffset = event.now - Date.now();
  },
  conversation(event) {
    putRow(element(event.html));
    if (event.client === client && event.head) fill(byId("head"), event.head);
    showWaiting();
  },
  message(event) {
    if (event.client !== client || !event.html) return;
    putMessage(event.id, event.html);
    if (event.fromClient) showTyping("", 0);
    markAsRead();
  },
  note(event) {
    if (event.client === client && event.html) putMessage(event.id, event.html);
  },
  removed(event) {
    if (event.client !== client) return;
    for (const item of [...list.children]) {
      if (item.dataset.sequence && Number(item.dataset.sequence) <= event.through) item.remove();
    }
  },
  typing(event) {
    if (event.client === client) showTyping(event.draft ? `The client is typing: ${event.draft}` : "", 10000);
  },
  operatorTyping(event) {
    const own = document.querySelector("#who bdi")?.textContent.toLowerCase();
    if (event.client === client && event.operator !== own) showTyping(`${event.name} is typing`, 6000);
  },
  present(event) {
    if (client) fill(byId("colleagues"), event.html);
  },
  reset() {
    saveDraft();
    location.reload();
  },
  end(event) {
    // After a restart the page connects again. Without a session, it needs the sign-in form.
    if (event.code !== "signedOut") return;
    end();
  },
};

function end() {
  isOver = true;
  source?.close();
  const notice = byId("ended");
  notice.textContent = "You have signed out, or the session has ended. Load the page again to sign in.";
  notice.hidden = false;
}

function connect() {
  source?.close();
  const query = new URLSearchParams({ after: position ?? "", client: client ?? "" });
  source = new EventSource(`/desk/events?${query}`);
  source.onmessage = (message) => {
    heard = Date.now();
    failures = 0;
    showStale(false);
    if (message.lastEventId) position = message.lastEventId;
    const event = JSON.parse(message.data);
    if (event.v === 1 && Object.hasOwn(handlers, event.kind)) handlers[event.kind](event);
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
    const answer = await fetch("/desk/search?q=", { headers: { Accept: "application/json" }, redirect: "manual" });
    if (answer.status === 401) return end();
  } catch {
    // The server cannot be reached: try again later.
  }
  connect();
}

function showStale(isStale) {
  document.body.dataset.stale = String(isStale);
  byId("stale").hidden = !isStale;
}

// MARK: Forms

async function post(name, fields) {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  const answer = await fetch(`/desk/conversations/${encodeURIComponent(client)}/${name}`, {
    method: "POST", body, headers: { "X-Desk-Form": form, Accept: "application/json" },
  });
  const result = await answer.json();
  if (result.result !== "done") throw new Error(result.text);
  return result;
}

const draftKey = `desk:${client}`;
const replyText = byId("reply-text");

function saveDraft() {
  if (!replyText) return;
  if (replyText.value) sessionStorage.setItem(draftKey, replyText.value);
  else sessionStorage.removeItem(draftKey);
}

// Sends a form without loading the page. The text stays until the server has accepted it.
function sendsInPlace(target, name, showError) {
  target?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = target.querySelector("button:not([type])");
    if (button.disabled) return;
    button.disabled = true;
    showError("");
    try {
      const fields = new FormData(target);
      await post(name, name === "replies" ? fields : new URLSearchParams(fields));
      target.reset();
      for (const field of target.querySelectorAll("textarea")) field.value = "";
      target.querySelector('input[name="canned"]')?.remove();
      byId("canned-files")?.remove();
      target.querySelector('input[name="id"]').value = crypto.randomUUID().replaceAll("-", "");
      saveDraft();
    } catch (error) {
      // The id stays the same, so that a second attempt cannot send the message twice.
      showError(error instanceof TypeError ? "The server cannot be reached. The text was not lost." : error.message);
    } finally {
      button.disabled = false;
      target.querySelector("textarea").focus();
    }
  });
}

function insertCanned(link) {
  const text = replyText.value;
  replyText.value = text && !text.endsWith("\n") ? `${text}\n${link.dataset.text}` : text + link.dataset.text;
  const target = byId("reply");
  target.querySelector('input[name="canned"]')?.remove();
  byId("canned-files")?.remove();
  if (link.dataset.files) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "canned" });
    field.value = link.dataset.canned;
    const files = Object.assign(document.createElement("p"), { id: "canned-files" });
    files.textContent = `With ${link.dataset.files}`;
    target.append(field);
    replyText.after(files);
  }
  link.closest("details").open = false;
  replyText.focus();
  saveDraft();
}

let typed = 0;

function startConversation() {
  const showError = (text) => { byId("reply-error").textContent = text; };
  const showNotice = (text) => {
    byId("notice").textContent = text;
    byId("notice").hidden = !text;
  };
  sendsInPlace(byId("reply"), "replies", showError);
  sendsInPlace(byId("note"), "notes", showNotice);
  if (!replyText.value) replyText.value = sessionStorage.getItem(draftKey) ?? "";
  replyText.addEventListener("input", () => {
    saveDraft();
    if (Date.now() - typed < 3000 || !replyText.value) return;
    typed = Date.now();
    post("typing", {}).catch(() => {});
  });
  for (const field of [replyText, byId("note-text")]) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.form.requestSubmit();
    });
  }
  byId("canned")?.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-text]");
    if (!link) return;
    event.preventDefault();
    insertCanned(link);
  });
  const target = location.hash.startsWith("#m-") ? byId(location.hash.slice(1)) : null;
  if (target) target.scrollIntoView({ block: "center" });
  else showEnd();
  lastTop = messages.scrollTop;
  messages.addEventListener("scroll", scrolled, { passive: true });
  // Pictures, fonts and the window change the sizes after a message was added.
  const sizes = new ResizeObserver(() => { if (follows) showEnd(); });
  sizes.observe(list);
  sizes.observe(messages);
  addEventListener("focus", markAsRead);
  document.addEventListener("visibilitychange", markAsRead);
  markAsRead();
}

// MARK: Start

localTimes(document);
if (client) startConversation();
if (position) {
  connect();
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  setInterval(() => {
    showWaiting();
    if (!isOver && Date.now() - heard > staleAfter) {
      showStale(true);
      if (source?.readyState === EventSource.OPEN) {
        heard = Date.now() - staleAfter + 5000;
        connect();
        showStale(true);
      }
    }
    if (typingEnds && Date.now() > typingEnds) showTyping("", 0);
  }, 1000);
  showWaiting();
}

"""##
}
