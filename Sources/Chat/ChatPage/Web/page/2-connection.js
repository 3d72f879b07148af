// MARK: What must survive a reload

/** Reads and writes the visitor's unsent messages and draft. Another tab may have written them. */
const storage = `chat:${session}`;
function load() {
    try {
        return { unsent: [], ...JSON.parse(localStorage.getItem(storage) ?? "{}") };
    } catch {
        return { unsent: [] };
    }
}
function save(change) {
    if (link.ended === "signedOut") return;
    const value = load();
    const before = JSON.stringify(value);
    change(value);
    const text = JSON.stringify(value);
    if (text === before) return;
    try {
        localStorage.setItem(storage, text);
    } catch { /* The storage is full or switched off. The message is still in memory. */ }
}
/** Stores a message in place of the draft, or without a change of it. */
const saveUnsent = (id, entry, isDraft = false) => save((value) => {
    value.unsent = value.unsent.filter((other) => other.id !== id);
    if (entry) value.unsent.push({ ...entry, id });
    if (isDraft) delete value.draft;
});
/** Removes a message that the server process has, without a delay of its row. A page that ends earlier repeats it. */
const removeUnsent = (id) => (window.requestIdleCallback ?? setTimeout)(() => saveUnsent(id, null));

/** Removes the visitor's texts and files after a sign-out, because somebody else may use the browser. */
function forget() {
    try {
        localStorage.removeItem(storage);
    } catch { /* Nothing is stored. */ }
    outbox = [];
    waiting.clear();
    field.value = "";
    for (const { request } of history.local.values()) request?.abort();
    attachments.length = 0;
    drawAttachments();
    recorder.stop(true);
}

// MARK: Intents

/** Intents that are not numbered yet, and those without an answer, by number. */
let outbox = [];
const waiting = new Map();
let client = uuid();
let number = 0;
/** Of these intents, only the newest matters. */
const REPLACED = ["typed", "search", "appeared", "disappeared", "quote", "comment"];

/** Sends an intent as soon as possible. `done` gets the answer. */
function intend(intent, fields = {}, done = null) {
    const text = JSON.stringify(fields);
    // A character has at most 3 bytes, so that a short text is not encoded only to be measured.
    if (text.length * 3 > LARGEST_FIELDS && new Blob([text]).size > LARGEST_FIELDS) {
        // A repeated frame would end each connection. The draft stays in the browser only.
        const reason = t("input.too_long");
        if (done) done({ result: "refused", text: reason });
        else if (intent !== "typed") notify(reason);
        return;
    }
    if (REPLACED.includes(intent)) {
        outbox = outbox.filter((other) => other.intent !== intent || other.fields.survey !== fields.survey);
    }
    outbox.push({ intent, fields, done });
    flush();
}

function frameText(to, { intent, fields }) {
    return JSON.stringify({ v: 1, session, client, to, intent, ...fields });
}

/** Numbers intents and sends them. The server accepts 32 without an answer; a page waits earlier. */
function flush() {
    while (link.isOpen && outbox.length && waiting.size < 16) {
        const item = outbox.shift();
        waiting.set(++number, item);
        link.transmit(number, frameText(number, item));
    }
}

/** Sends the intents without an answer again, with the same numbers. */
function repeat() {
    for (const [to, item] of waiting) link.transmit(to, frameText(to, item));
    flush();
}

/** Starts to count from 1 with a new id, after the server has refused this page's numbers. */
function renumber() {
    client = uuid();
    outbox = [...waiting.values(), ...outbox];
    waiting.clear();
    number = 0;
}

function answered(frame) {
    if (frame.client !== client) return;
    const item = waiting.get(frame.to);
    if (!item) return;
    if (["outOfOrder", "replayed"].includes(frame.code)) {
        renumber();
    } else {
        waiting.delete(frame.to);
        item.done?.(frame);
        if (!item.done && frame.result === "refused") notify(frame.text);
    }
    flush();
}

// MARK: The connection to the server process

/**
 * A time on both clocks, and the milliseconds since such a time. The monotonic clock of some browsers stops while the
 * computer sleeps, and the other one can be set back. The longer time counts, so that a page is rather called stale.
 */
const moment = () => [performance.now(), Date.now()];
const since = ([age, time]) => Math.max(performance.now() - age, Date.now() - time);

const link = {
    isOpen: false,
    socket: null,
    events: null,
    /** The number of the last change; `null` asks for the complete state. */
    seen: null,
    heard: moment(),
    attempts: 0,
    failures: 0,
    retryAt: null,
    timer: 0,
    ended: null,
    posts: Promise.resolve(),

    open() {
        clearTimeout(this.timer);
        this.close();
        this.retryAt = null;
        this.begun = moment();
        const query = `?client=${client}` + (this.seen === null ? "" : `&after=${this.seen}`);
        const url = new URL(base, location.href);
        if (this.failures % 3 === 2) {
            url.pathname += "events";
            const events = this.events = new EventSource(url.href + query);
            events.onopen = () => events === this.events && this.opened();
            events.onmessage = (event) => events === this.events && this.received(event.data);
            events.onerror = () => events === this.events && this.lost();
        } else {
            url.pathname += "socket";
            url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
            const socket = this.socket = new WebSocket(url.href + query);
            socket.onopen = () => socket === this.socket && this.opened();
            socket.onmessage = (event) => socket === this.socket && this.received(event.data);
            socket.onclose = (event) => socket === this.socket && this.lost(event.code);
        }
    },

    close() {
        this.unread = null;
        const [socket, events] = [this.socket, this.events];
        this.isOpen = false;
        this.socket = this.events = null;
        socket?.close();
        events?.close();
    },

    opened() {
        this.isOpen = true;
        repeat();
        appeared();
        banners();
    },

    /** Reconnects with a growing, random delay. */
    lost(code) {
        if (!this.isOpen) this.failures++;
        if ([1002, 1003, 1007, 1008].includes(code)) renumber();
        this.close();
        if (this.ended) return;
        const delay = Math.min(10_000, 500 * 2 ** this.attempts++) * (0.5 + Math.random() / 2);
        this.retryAt = performance.now() + delay;
        this.timer = setTimeout(() => this.open(), delay);
        banners();
    },

    /** Frames that arrive while a large one is being read. */
    unread: null,

    async received(text) {
        this.heard = moment();
        this.attempts = this.failures = 0;
        if (this.unread) return this.unread.push(text);
        if (text.length < LARGE) return this.take(JSON.parse(text));
        await this.pause(() => parseLarge(text));
    },

    /** Keeps new frames until a complete state is read, then takes the state and these frames. */
    async pause(read) {
        const unread = this.unread = [];
        const frame = await read().catch(() => null);
        // The connection was lost meanwhile.
        if (this.unread !== unread) return;
        this.unread = null;
        if (!frame) return resync();
        this.take(frame);
        for (const next of unread) this.take(JSON.parse(next));
    },

    take(frame) {
        if (frame.v !== 1) return;
        if (frame.now) clockOffset = frame.now - performance.now();
        switch (frame.kind) {
            case "state":
                // Another visitor has signed in with this browser: this page must not show that conversation.
                if (frame.session !== session) return this.leave();
                this.seen = frame.n;
                takeState(frame);
                break;
            case "change":
                if (this.seen !== null && frame.n <= this.seen) break;
                if (frame.n !== this.seen + 1) return this.open();
                this.seen = frame.n;
                takeChange(frame);
                break;
            case "beat":
                // A change is missing: the server sends it again.
                if (this.seen !== null && frame.n > this.seen) return this.open();
                break;
            case "answer": answered(frame); break;
            case "end": this.end(frame); break;
        }
        tick();
    },

    leave() {
        this.ended = "replaced";
        this.close();
        location.reload();
    },

    end(frame) {
        notify(frame.text);
        if (frame.code === "signedOut" || frame.code === "replaced") {
            this.ended = frame.code;
            this.close();
            if (frame.code === "signedOut") forget();
            banners();
        }
    },

    /** Sends one frame. Without a socket, each intent is a request of its own, in order. */
    transmit(to, text) {
        if (this.socket) return this.socket.send(text);
        this.posts = this.posts.then(() => this.post(to, text));
    },

    async post(to, text) {
        try {
            const response = await fetch(base + "intents", {
                method: "POST", body: text, headers: { "Content-Type": "application/json", "X-Chat-Form": token },
            });
            const frame = await response.json().catch(() => null);
            if (frame?.kind === "answer") answered(frame);
            else if (response.status >= 500) throw new Error(String(response.status));
            else if (!response.ok) {
                answered({ client, to, result: "refused", code: String(response.status), text: t("errors.code_from_400_to_500_title") });
            }
        } catch {
            // The intent is sent again with the next connection.
            if (this.isOpen && this.events) this.lost();
        }
    },
};

const LARGE = 100_000;
const frameOfScreen = () => new Promise((resolve) => {
    // A hidden page draws no frames.
    if (document.visibilityState === "hidden") setTimeout(resolve);
    else requestAnimationFrame(resolve);
});

/** Parses a `state` frame row by row, a few milliseconds in each frame of the screen, so that the page keeps moving. */
async function parseLarge(text) {
    const name = '"rows":[';
    // The rows are the last member of the state. A text cannot contain the name, because its quotes are escaped.
    const begin = text.lastIndexOf(name) + name.length;
    if (begin < name.length) return JSON.parse(text);
    const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;
    token.lastIndex = begin;
    const rows = [];
    let [depth, start, end] = [0, 0, 0];
    await frameOfScreen();
    let until = performance.now() + 3;
    for (let match = token.exec(text); match && !end; match = token.exec(text)) {
        switch (match[0]) {
            case "{": case "[":
                if (depth++ === 0) start = match.index;
                break;
            case "}": case "]":
                if (depth === 0) {
                    end = match.index;
                } else if (--depth === 0) {
                    rows.push(JSON.parse(text.slice(start, token.lastIndex)));
                    if (performance.now() < until) break;
                    await frameOfScreen();
                    until = performance.now() + 3;
                }
        }
    }
    const frame = JSON.parse(text.slice(0, begin) + text.slice(end));
    frame.state.rows = rows;
    return frame;
}

/** Gets the older rows that are not in the first page. A stream arrives in pieces, a frame of a socket all at once. */
function complete() {
    if (!link.isOpen || link.unread || link.seen === null) return;
    link.pause(async () => {
        const stop = new AbortController();
        const response = await fetch(`${base}events?client=${uuid()}`, { signal: stop.signal });
        if (!response.ok) throw new Error(response.statusText);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        // The data of the first event is one line.
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            text += part.value;
            if (part.value.includes("\n") && /(^|\n)data:.*\n/.test(text)) break;
        }
        stop.abort();
        const start = text.indexOf("data:") + 5;
        return parseLarge(text.slice(start, text.indexOf("\n", start)));
    });
}

/** Asks for the complete state. */
function resync() {
    link.seen = null;
    link.open();
}

function appeared() {
    if (link.isOpen) intend(document.visibilityState === "visible" ? "appeared" : "disappeared");
}

// MARK: Staleness

/** The time when the server process last had a connection to the chat server, or did not need one. */
let serverHeard = moment();
const NEEDS_SERVER = ["connecting", "registering", "waitingToReconnect"];

/** Runs every second: staleness and countdowns. */
function tick() {
    // Also ends an attempt to connect that gets no answer.
    const isWaiting = link.retryAt !== null || link.ended !== null;
    if (!isWaiting && since(link.heard) > SILENT && since(link.begun) > SILENT) link.lost();
    if (!NEEDS_SERVER.includes(screen.connection?.kind)) serverHeard = moment();
    const isSilent = since(link.heard) > STALE;
    const isStale = isSilent || since(serverHeard) > STALE || link.ended !== null;
    const stale = byID("stale");
    if (body.dataset.stale !== String(isStale)) {
        body.dataset.stale = isStale;
        hide(stale, !isStale);
    }
    if (isStale) write(stale, t(isSilent || link.ended ? "banner.stale" : "banner.server_silent"));
    for (const countdown of byID("banners").querySelectorAll(".countdown")) {
        const at = countdown.closest("[data-kind=page]") ? link.retryAt && link.retryAt + clockOffset : screen.connection?.at;
        write(countdown, at ? tn("banner.next_attempt", Math.max(0, Math.ceil((at - now()) / 1000))) : "");
    }
    const connection = link.isOpen ? screen.connection?.kind ?? "idle" : "offline";
    if (body.dataset.connection !== connection) body.dataset.connection = connection;
}

/** Shows a sentence at the top, for example why an action was refused. */
function notify(text) {
    byID("notice")?.remove();
    if (!text) return;
    const close = el("button", { type: "button", class: "close" }, t("action.close"));
    close.onclick = () => { byID("notice").remove(); field.focus(); };
    byID("banners").before(el("p", { id: "notice", role: "alert", dir: "auto" }, text, " ", close));
}

