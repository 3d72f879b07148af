// The script of the chat page. The server has rendered the page, which works without this script. The script takes
// over the elements, keeps one connection to the server, and draws what the server's frames change. All texts of other
// people go through `clean` and reach the document as text nodes only.

const byID = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="chat-${name}"]`)?.content ?? "";
const [base, session, token] = [meta("base"), meta("session"), meta("form")];
const body = document.body;
const composer = byID("composer");
const field = byID("text");
const scroller = byID("scroll");
const list = byID("rows");

/**
 * The newest rows are drawn first. A list has at most `CHUNK` rows, and a group at most `GROUP` lists. The browser skips
 * the lists and groups that are not visible, so that a frame of the screen takes as long with 10,000 rows as with 100.
 */
const [FIRST_ROWS, CHUNK, GROUP] = [60, 20, 20];
/** A frame is expected every 5 s. Without one the page reconnects, and after `STALE` it says so. */
const [SILENT, STALE] = [12_000, 20_000];
const LONGEST_TEXT = 16_000;
const LONGEST_LINK = 2048;
/** The server ends the connection of a page that sends a larger frame than 64 KiB. Some room is left for the head. */
const LARGEST_FIELDS = 63 << 10;

const uuid = () => {
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

// MARK: Texts

/** The state of the screen, as the server sent it; the texts; and the server's clock minus this page's age. */
let screen = {};
let texts = {};
let language = document.documentElement.lang || "en";
let clockOffset = performance.timeOrigin;
let plural = null;

/** The server's time. A change of this computer's clock does not change it. */
const now = () => performance.now() + clockOffset;
const t = (key) => texts[key] ?? key.split(".").pop().replaceAll("_", " ");
const tn = (key, count) => {
    plural ??= new Intl.PluralRules(language);
    const text = texts[`${key}#${plural.select(count)}`] ?? texts[`${key}#other`] ?? t(key);
    return text.replaceAll("{count}", count);
};

const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/g;
/** Replaces characters that control or reorder text with visible ones. The server's `SafeText` does the same. */
const clean = (text) => String(text).replace(/\r\n?/g, "\n").replace(ODD, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x85 || code === 0x2028 || code === 0x2029) return "\n";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
});

/** Creates an element. Texts among the children become text nodes; `null` and `false` are skipped. */
function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const name in attributes) {
        const value = attributes[name];
        if (value === null || value === undefined || value === false) continue;
        element.setAttribute(name, value === true ? "" : clean(value));
    }
    for (const child of children.flat(Infinity)) {
        if (child || child === 0) element.append(child.nodeType ? child : clean(child));
    }
    return element;
}

const hide = (element, hidden) => { if (element.hidden !== hidden) element.hidden = hidden; };
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };

function bytes(count) {
    if (count < 1024) return `${count} B`;
    let [value, unit] = [count / 1024, "KB"];
    for (const next of ["MB", "GB"]) if (value >= 1024) [value, unit] = [value / 1024, next];
    return `${value < 10 ? +value.toFixed(1) : Math.floor(value)} ${unit}`;
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

let formats = null;
function format(kind, time) {
    formats ??= {
        time: new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
        day: new Intl.DateTimeFormat(language, { year: "numeric", month: "long", day: "numeric" }),
    };
    const date = new Date(time);
    return isNaN(date) ? "" : formats[kind].format(date);
}

/** The number of a day in this browser's time zone. */
function dayOf(time) {
    const date = new Date(time);
    return Math.floor((time - date.getTimezoneOffset() * 60_000) / 86_400_000);
}

function dayName(time) {
    const back = dayOf(now()) - dayOf(time);
    return back === 0 ? t("date.today") : back === 1 ? t("date.yesterday") : format("day", time);
}

// MARK: Links

/** Whether a link may be opened: `http` or `https`, without credentials, which could conceal the host. */
function isSafeLink(link) {
    if (link.length > LONGEST_LINK || !/^https?:\/\/[^/?#\\@]+([/?#]|$)/i.test(link)) return false;
    return URL.canParse ? URL.canParse(link) : true;
}

/** A closing bracket belongs to the link if the link contains its opening one. */
const isClosing = (link) => link.endsWith(")") && link.split("(").length >= link.split(")").length;

const LINK = /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"`\p{C}\p{Z}]+/giu;

/** Returns the nodes of a text, with links. */
function linked(text) {
    const nodes = [];
    let end = 0;
    for (const match of text.matchAll(LINK)) {
        let link = match[0];
        // The marks at the end of a very long text are not worth the time.
        if (link.length > 2 * LONGEST_LINK) continue;
        while (/[.,;:!?)\]}'*_]$/.test(link) && !isClosing(link)) link = link.slice(0, -1);
        if (!isSafeLink(link)) continue;
        nodes.push(text.slice(end, match.index), anchor(link, link));
        end = match.index + link.length;
    }
    nodes.push(text.slice(end));
    return nodes;
}

const anchor = (url, label) =>
    el("a", { href: url, target: "_blank", rel: "noopener noreferrer", dir: "ltr" }, label);

/** Returns the nodes of a long text: the rest is folded. */
function folded(text) {
    const whole = clean(text);
    if (whole.length <= LONGEST_TEXT) return linked(whole);
    return [
        linked(whole.slice(0, LONGEST_TEXT)),
        el("details", null, el("summary", null, "…"), linked(whole.slice(LONGEST_TEXT))),
    ];
}

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

// MARK: Frames

function takeState(frame) {
    const { rows, cut, ...fields } = frame.state;
    const before = screen;
    screen = fields;
    texts = frame.texts ?? texts;
    if (frame.language && frame.language !== language) {
        language = frame.language;
        formats = plural = null;
        document.documentElement.lang = language;
    }
    document.documentElement.dir = frame.rtl ? "rtl" : "ltr";
    takeTheme(frame.theme);
    history.isCut = cut === true;
    history.replace(rows ?? []);
    draw(Object.keys({ ...before, ...fields }), before);
}

const STYLES = ["quick-replies", "incoming-avatar", "outgoing-avatar", "title-hidden", "search-title-hidden"];
let theme = null;
/** Loads the style sheet of a new theme. */
function takeTheme(next) {
    const text = JSON.stringify(next);
    if (theme !== null && text !== theme) {
        document.querySelector("link[href*='theme.css']").href = `${base}theme.css?v=${Date.now()}`;
        for (const name of STYLES) body.setAttribute("data-" + name, next?.light?.[name] ?? "");
    }
    theme = text;
}

function takeChange(frame) {
    const before = screen;
    const fields = Object.keys(frame.set ?? {});
    screen = { ...screen };
    for (const name of fields) {
        if (frame.set[name] === null) delete screen[name];
        else screen[name] = frame.set[name];
    }
    history.keep(() => {
        for (const id of frame.remove ?? []) history.remove(id);
        for (const { row, after } of frame.put ?? []) history.put(row, after ?? null);
    }, frame.remove?.length || frame.put?.length);
    draw(fields, before);
}

/** Draws the fields that have changed. Rows are drawn by `history`. */
function draw(fields, before) {
    const has = (...names) => names.some((name) => fields.includes(name));
    if (has("title", "averageWait", "security", "showsSearch", "unreadCount")) header();
    if (has("banners", "connection")) banners();
    if (has("input", "limits")) drawComposer(before.input);
    if (has("paging")) history.drawPaging();
    if (has("surveys")) history.drawSurveys(before.surveys ?? []);
    if (has("search")) search.draw();
    if (has("context")) context.draw(before.context);
    if (has("scroll") && before.scroll && screen.scroll?.number !== before.scroll.number) {
        history.scrollTo(screen.scroll?.target);
    }
    tick();
}

// MARK: Header and banners

const operatorName = (operator) => operator.name ?? t({
    bot: "operator.bot", externalBot: "operator.external.bot", supervisor: "operator.supervisor",
    system: "operator.system", integration: "operator.integration",
}[operator.role] ?? "operator.operator");

const TITLES = {
    connecting: "connecting", waiting: "waiting", waitingForSpecialist: "waiting_for_specialist",
};
const SECURITY = { pinned: "pinned", systemTrust: "system_trust", unverified: "unverified" };

function header() {
    const title = screen.title ?? { kind: "opened" };
    byID("title").replaceChildren(...(title.kind === "working"
        ? [el("bdi", null, operatorName(title.operator)), " " + t("chat.title.working")]
        : [t("chat.title." + (TITLES[title.kind] ?? "opened"))]));
    const typing = byID("typing");
    hide(typing, title.kind !== "typing");
    typing.replaceChildren(...(title.kind !== "typing" ? [] : [
        ...(title.name ? [el("bdi", null, title.name), " "] : []), t("chat.title.typing"),
    ]));
    hide(byID("wait"), !screen.averageWait);
    write(byID("wait"), clean(screen.averageWait ?? ""));
    const security = byID("security");
    security.dataset.security = screen.security;
    write(security, t("security." + SECURITY[screen.security]));
    hide(byID("search-toggle"), !screen.showsSearch);
    document.title = (screen.unreadCount > 0 ? `(${screen.unreadCount}) ` : "") + t("chat.title.opened");
}

const BANNERS = {
    configurationFailed: "configuration_failed", configurationIncomplete: "configuration_failed",
    historyFailed: "history_failed", connectionLost: "connection_lost", unauthorized: "unauthorized",
    storeFailed: "store_failed", page: "connection_lost",
};
const RELOADABLE = ["configurationFailed", "configurationIncomplete", "historyFailed"];

function banners() {
    const all = [...(screen.banners ?? [])];
    if (!link.isOpen && link.retryAt && link.attempts > 1) all.unshift({ kind: "page" });
    const container = byID("banners");
    const signature = JSON.stringify(all);
    // An unchanged banner is not announced again.
    if (container.signature === signature) return;
    container.signature = signature;
    container.replaceChildren(...all.map((banner) => {
        const key = BANNERS[banner.kind];
        const detail = banner.text ?? banner.message;
        const hasCountdown = ["connectionLost", "page"].includes(banner.kind);
        return el("div", { class: "banner", "data-kind": banner.kind },
            el("p", { dir: "auto" },
                el("strong", null, key ? t("banner." + key) : detail ?? banner.kind),
                key && detail && [" ", el("span", { class: "detail", dir: "auto" }, detail)],
                hasCountdown && [" ", el("span", { class: "countdown", "aria-live": "off" })]),
            RELOADABLE.includes(banner.kind) && act("reload", {}, "reload", t("action.reload")));
    }));
    tick();
}

/** A form with a button that performs an intent: the same elements as without this script. */
function act(intent, fields, name, ...label) {
    const inputs = Object.entries({ intent, ...fields })
        .map(([key, value]) => el("input", { type: "hidden", name: key, value: String(value) }));
    // The values are ids, which must not be changed.
    inputs.forEach((input, index) => { input.value = Object.values({ intent, ...fields })[index]; });
    return el("form", { class: "act" }, inputs, el("button", { class: name }, label));
}

// MARK: Rows

const STATES = {
    queued: "queued", uploading: "uploading", sending: "sending", sent: "sent", delivered: "delivered", read: "read",
    failed: "not_delivered",
};
const NOTICES = {
    lookingForOperator: "chat.title.waiting_for_specialist",
    threadWillBeReassigned: "chat.title.waiting_for_specialist",
    threadEnqueued: "chat.title.waiting", averageWaitTime: "chat.title.waiting", threadClosed: "survey.close_thread",
    partingAfterSurvey: "survey.thanks", clientBlocked: "input.blocked", personalDataProcessing: "operator.system",
};
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

const speaker = (row) =>
    row.author.kind === "other" ? `other ${row.author.operator.id ?? ""} ${row.author.operator.name ?? ""}` : row.author.kind;

/** Draws a row into its element, except for what depends on the row before it. */
function fill(item, row) {
    const { author, kind, files = [] } = row;
    Object.assign(item.dataset, { id: row.id, author: author.kind, kind: kind.kind });
    if (author.state) item.dataset.state = author.state.kind;
    else delete item.dataset.state;
    item.classList.toggle("campaign", row.isCampaign === true);
    item.classList.toggle("offer", row.isPersonalOffer === true);
    item.dataset.shown ??= Math.round(performance.now());
    const isGone = kind.kind === "deleted";
    const focused = item.contains(document.activeElement) ? signatureOf(document.activeElement) : null;
    // A player keeps playing, and a preview stays, while only other parts of the row change.
    const keptFiles = item.files === JSON.stringify(files) ? item.querySelector(".files") : null;
    item.files = JSON.stringify(files);
    const preview = item.querySelector(".preview");
    const bubble = el("div", { class: "bubble" },
        author.kind !== "system" && el("p", { class: author.operator ? "who" : "who mine" },
            photo(author.operator), el("bdi", null, nameOf(author))),
        !isGone && quotes(row),
        content(item, row),
        !isGone && files.length > 0 && (keptFiles ?? fileList(row)),
        row.speech && el("p", { class: "speech", dir: "auto" },
            el("span", { class: "label" }, t("message.voice_transcript")), " ",
            row.speech.text ?? t(row.speech.status?.toLowerCase() === "error"
                ? "message.voice_transcript_failed" : "message.voice_transcript_pending")),
        preview?.dataset.url === row.link && preview,
        author.state?.kind === "failed" && author.state.text
            && el("p", { class: "failure", dir: "auto" }, author.state.text),
        el("div", { class: "foot" },
            el("span", { class: "meta" },
                row.isEdited && [el("span", { class: "edited" }, t("message.edited")), " "],
                el("time", null, format("time", row.time)),
                author.state && [" ", el("span", { class: "state" }, t("message.status." + STATES[author.state.kind]))]),
            actions(row)));
    const quick = row.buttons?.length > 0 && !hasToolbar() ? [quickReplies(row)] : [];
    item.replaceChildren(...item.querySelectorAll(":scope > .day, :scope > .unread-divider"), bubble, ...quick);
    if (row.link && !preview && screen.showsLinkPreviews) previews.observe(item);
    if (focused) ([...item.querySelectorAll("button, a, input, textarea")].find((other) => signatureOf(other) === focused) ?? field).focus();
}

const signatureOf = (element) => [element.tagName, element.className, element.name, element.type === "radio" ? element.value : "", element.closest("form")?.question?.value].join(" ");

const nameOf = ({ operator }) => (operator ? operatorName(operator) : t("message.you"));

function photo(operator) {
    const letter = [...clean(nameOf({ operator }))][0] ?? "";
    if (!operator?.photo) return el("span", { class: "photo", "aria-hidden": "true" }, letter);
    return el("span", { class: "photo", "aria-hidden": "true" },
        el("img", { src: operator.photo, alt: "", loading: "lazy", decoding: "async" }));
}

function quoteParts(quote) {
    const author = el("cite", null, quote.author ? el("bdi", null, operatorName(quote.author)) : t("message.you"));
    if (quote.text) return [author, el("span", { dir: "auto" }, quote.text.slice(0, 300))];
    return quote.fileCount > 0 ? [author, el("span", null, tn("message.files", quote.fileCount))] : [author];
}

const quotes = (row) => row.quotes
    ? row.quotes.map((quote) => el("blockquote", { class: "quote" }, quoteParts(quote)))
    : (row.quoted ?? []).map((text) => el("blockquote", { class: "quote", dir: "auto" }, text));

function content(item, row) {
    const paragraph = (name, ...children) => el("div", { class: name, dir: "auto" }, children);
    if (row.isMasked) return paragraph("text", "••••••");
    if (row.kind.kind === "deleted") return paragraph("text gone", t("message.deleted_text"));
    const survey = row.kind.kind === "survey" && screen.surveys?.find((survey) => survey.id === row.id);
    if (survey) return surveySection(item, survey, row.text);
    const text = row.text ?? row.formatted;
    if (text) return paragraph("text", folded(text));
    if (row.kind.kind === "survey") return paragraph("text gone", t("survey.rate"));
    if (row.kind.kind === "unsupported") return paragraph("text gone", t("message.unsupported"));
    if (row.kind.kind === "notice" && row.notice) return paragraph("text", noticeParts(row.notice));
    return null;
}

function noticeParts({ kind, operator }) {
    const verb = { operatorJoined: "join", operatorLeft: "leave" }[kind];
    if (!verb) return t(NOTICES[kind] ?? "chat.title.opened");
    return [
        el("bdi", null, operator?.name ?? t("operator.operator")), " ",
        t(`message.system.${verb}_chat_${operator?.gender ?? "unknown"}`),
    ];
}

function actions(row) {
    const canCopy = row.kind.kind === "message" && !row.isMasked && !row.isLocal;
    return [
        row.actions?.includes("retry") && act("retry", { message: row.id }, "retry", t("action.retry")),
        row.actions?.includes("delete") && act("delete", { message: row.id }, "delete", t("action.delete")),
        canCopy && el("button", { type: "button", class: "reply" }, t("menu.response_title")),
        canCopy && el("button", { type: "button", class: "copy" }, t("menu.copy_title")),
    ];
}

/** Whether the theme puts quick replies into a bar above the input field. */
const hasToolbar = () => body.dataset.quickReplies === "toolbar";

function quickReplies(row) {
    return el("div", { class: "quick" }, row.buttons.map((button) => {
        const picture = button.image && el("img", { src: button.image, alt: "", loading: "lazy" });
        if (!button.url) {
            return act("press", { message: row.id, index: button.index ?? 0 }, "press", picture, el("bdi", null, button.text));
        }
        return isSafeLink(button.url) && el("a", { href: button.url, target: "_blank", rel: "noopener noreferrer", dir: "ltr" }, picture, button.text);
    }));
}

// MARK: Files

function fileList(row) {
    return el("div", { class: "files" }, row.files.map((file, index) => {
        const path = `${base}files/${encodeURIComponent(row.id)}/${index}`;
        return el("div", { class: "file", "data-state": file.state.kind }, fileParts(row, file, path));
    }));
}

function fileParts(row, file, path) {
    const type = (file.type ?? "").split(";")[0].toLowerCase();
    const isVoice = file.voice || /^audio(\/|$)/.test(type);
    const name = file.name ?? t(isVoice ? "message.voice_title" : "message.photo_title");
    const local = history.blobs.get(row.id);
    const isReady = file.state.kind === "ready" && file.has;
    const source = isReady ? path + "?inline" : local;
    const { kind, sent, total, code, text } = file.state;
    const isPicture = source && PICTURES.includes(type);
    return [
        isPicture && el("a", { class: "thumb", href: source, target: "_blank", rel: "noopener" },
            el("img", { src: source, alt: name, loading: "lazy", decoding: "async" })),
        isReady && !isPicture && isVoice && player(source, file.voice?.ms, name),
        isReady ? el("a", { class: "name", href: path, download: true }, el("bdi", null, name))
            : el("bdi", { class: "name" }, name),
        file.size >= 0 && el("span", { class: "size" }, bytes(file.size)),
        kind === "pending" && el("span", { class: "note" }, t("message.pending_file")),
        kind === "uploading" && el("progress", {
            "aria-label": t("message.status.uploading"), value: total > 0 ? String(sent) : null, max: total > 0 ? String(total) : null,
        }),
        kind === "failed" && el("span", { class: "failure", dir: "auto" }, text ?? code ?? t("errors.during_load_file")),
        kind === "expired" && el("span", { class: "note" }, t("message.expired_file")),
    ];
}

/** A player for voice messages. The wave form is computed when the message is played for the first time. */
function player(source, milliseconds, name) {
    const play = el("button", { type: "button", class: "play" }, t("message.voice_play"));
    const wave = el("canvas", { width: "240", height: "32", "aria-hidden": "true" });
    const seek = el("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": `${t("message.voice_seek")} ${name}` });
    const time = el("span", { class: "size" }, milliseconds ? minutes(milliseconds / 1000) : "");
    const element = el("div", { class: "voice" }, play, el("span", { class: "track" }, wave, seek), time);
    let audio = null;
    let peaks = null;
    /** The share of the sound at which it must play, until the length of the sound is known. */
    let wanted = null;
    const length = () => (isFinite(audio?.duration) && audio.duration > 0 ? audio.duration : (milliseconds ?? 0) / 1000);
    const show = () => {
        if (wanted !== null && audio && length()) {
            audio.currentTime = wanted * length();
            wanted = null;
        }
        const position = audio?.currentTime ?? 0;
        const share = wanted ?? (length() ? Math.min(1, position / length()) : 0);
        seek.value = Math.round(share * 1000);
        seek.setAttribute("aria-valuetext", minutes(position));
        write(time, minutes(position || length()));
        const isPlaying = Boolean(audio && !audio.paused);
        write(play, t(isPlaying ? "message.voice_pause" : "message.voice_play"));
        play.classList.toggle("pause", isPlaying);
        drawWave(wave, peaks, share);
    };
    const start = () => {
        if (audio) return;
        audio = new Audio(source);
        for (const event of ["play", "pause", "ended", "timeupdate", "durationchange"]) audio.addEventListener(event, show);
        audio.addEventListener("error", () => {
            write(time, t("errors.voice_message"));
            audio = null;
        });
        decode(source).then((result) => { peaks = result; show(); }, () => { /* The message plays without a wave form. */ });
    };
    play.onclick = () => {
        start();
        if (audio.paused) audio.play().catch(() => {});
        else audio.pause();
    };
    seek.oninput = () => {
        start();
        wanted = seek.value / 1000;
        show();
    };
    return element;
}

async function decode(source) {
    const response = await fetch(source);
    if (!response.ok || Number(response.headers.get("Content-Length") ?? 0) > 16 << 20) throw new Error("not decoded");
    const audio = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(await response.arrayBuffer());
    const samples = audio.getChannelData(0);
    const size = Math.max(1, Math.floor(samples.length / 60));
    const peaks = [];
    for (let bar = 0; bar < 60; bar++) {
        let peak = 0;
        for (let index = bar * size; index < (bar + 1) * size; index += 16) peak = Math.max(peak, Math.abs(samples[index] ?? 0));
        peaks.push(peak);
    }
    const highest = Math.max(...peaks, 0.01);
    return peaks.map((peak) => peak / highest);
}

function drawWave(canvas, peaks, share) {
    const pen = canvas.getContext("2d");
    if (!peaks || !pen) return;
    pen.clearRect(0, 0, 240, 32);
    const { color, outlineColor } = getComputedStyle(canvas);
    peaks.forEach((peak, index) => {
        pen.fillStyle = index / peaks.length < share ? color : outlineColor;
        const height = Math.max(2, peak * 30);
        pen.fillRect(index * 4, 16 - height / 2, 2, height);
    });
}

// MARK: Link previews

/** Asks for the preview of a link when its row becomes visible, at most 4 at a time. */
const previews = {
    observer: null,
    queue: [],
    running: 0,
    observe(item) {
        this.observer ??= new IntersectionObserver((entries) => {
            for (const entry of entries) {
                if (!entry.isIntersecting) continue;
                this.observer.unobserve(entry.target);
                this.queue.push(entry.target);
            }
            this.next();
        });
        this.observer.observe(item);
    },
    async next() {
        const item = this.running < 4 ? this.queue.shift() : null;
        if (!item) return;
        this.running++;
        try {
            const response = await fetch(`${base}preview/${encodeURIComponent(item.dataset.id)}`);
            if (response.status === 200) this.show(item, await response.json());
        } catch { /* A preview is not important enough for a message. */ }
        this.running--;
        this.next();
    },
    show(item, preview) {
        const row = history.rows.get(item.dataset.id);
        if (!row?.link || !isSafeLink(row.link) || item.querySelector(".preview")) return;
        const card = anchor(row.link, []);
        card.className = "preview";
        card.dataset.url = row.link;
        card.dir = "auto";
        if (preview.image) card.append(el("img", { src: preview.image, alt: "", loading: "lazy", decoding: "async" }));
        for (const name of ["site", "title", "description"]) {
            if (preview[name]) card.append(el("span", { class: name, dir: "auto" }, preview[name].slice(0, 300)));
        }
        item.querySelector(".bubble > .foot")?.before(card);
    },
};

// MARK: Surveys

function surveySection(item, survey, text) {
    const section = el("section", { class: "survey", id: "survey-" + survey.id },
        text && el("div", { class: "text", dir: "auto" }, folded(text)));
    if (survey.kind.kind === "closeRequest") {
        if (!survey.isAnswered) {
            section.append(
                act("closeThread", { request: survey.id }, "close-thread", t("survey.close_thread")),
                act("reopenThread", { request: survey.id }, "reopen-thread", t("survey.reopen_thread")));
        }
    } else {
        for (const question of survey.questions ?? []) section.append(questionForm(question, survey));
        if (survey.asksForComment) section.append(commentForm(item, survey));
        if (survey.canSubmit) section.append(act("submit", { survey: survey.id }, "submit", t("survey.send")));
    }
    const failed = survey.answers?.filter(({ state }) => state.kind === "failed") ?? [];
    for (const { id, state } of failed) {
        section.append(
            el("p", { class: "failure", dir: "auto" }, t("message.status.not_delivered"), state.text && ": " + state.text),
            act("retry", { message: id }, "retry", t("action.retry")));
    }
    if (survey.isAnswered && !failed.length) section.append(el("p", { class: "thanks" }, t("survey.thanks")));
    return section;
}

function ratings({ buttons, minimum, maximum, isSimple }) {
    if (buttons?.length) return buttons.map((button) => [button.rate, button.text]);
    if (isSimple) return [[maximum, "👍 " + t("survey.thumb_up")], [minimum, "👎 " + t("survey.thumb_down")]];
    if (!Number.isSafeInteger(minimum) || !(maximum >= minimum)) return [];
    return Array.from({ length: Math.min(21, maximum - minimum + 1) }, (_, index) => [minimum + index, String(minimum + index)]);
}

function questionForm(question, survey) {
    const form = act("rate", { survey: survey.id, question: question.id }, "without-js", t("survey.rate"));
    form.className = "question";
    const fields = el("fieldset", { disabled: question.isAnswered || survey.isAnswered },
        el("legend", { dir: "auto" }, question.text ?? t("survey.rate")),
        ratings(question).map(([rate, label]) => el("label", null,
            el("input", { type: "radio", name: "rate", value: String(rate), checked: String(question.rate) === String(rate) }),
            el("span", { dir: "auto" }, label))));
    fields.append(form.lastChild);
    form.append(fields);
    return form;
}

function commentForm(item, survey) {
    // The element is kept while the visitor types in it.
    const kept = item.querySelector(".comment-form");
    if (kept && (kept.contains(document.activeElement) || kept.dataset.dirty)) return kept;
    const form = act("comment", { survey: survey.id }, "without-js", t("action.save"));
    form.className = "comment-form";
    const area = el("textarea", { class: "comment", name: "text", rows: "2", dir: "auto" });
    area.value = survey.comment ?? "";
    form.lastChild.before(el("label", null, el("span", null, t("survey.comment")), area));
    return form;
}

// MARK: The conversation

/** The element scrolls from its end, so the place at the end is 0, and the others are negative. */
const isAtEnd = () => scroller.scrollTop > -40;

/** The rows in order, and the elements of those that are drawn: always the newest ones. */
const history = {
    rows: new Map(),
    order: [],
    items: new Map(),
    /** Rows of this page that the server has not shown yet, below all others. */
    local: new Map(),
    /** Addresses of files that this page is sending. */
    blobs: new Map(),
    /** Whether older rows exist in the server process that this page has not got. */
    isCut: false,
    divider: null,
    isNearTop: false,
    isDrawing: false,
    isAtEnd: true,
    unseen: 0,
    /** The search hit that the visitor has chosen last. */
    wanted: null,

    /** Finds the elements that the server has rendered. */
    collect() {
        for (const item of list.querySelectorAll("li.row")) {
            item.dataset.shown = Math.round(performance.now());
            this.items.set(item.dataset.id, item);
        }
    },

    /** Takes over these elements. */
    adopt(rows) {
        this.collect();
        for (const row of rows) {
            this.rows.set(row.id, row);
            this.order.push(row.id);
            const item = this.items.get(row.id);
            if (item) item.files = JSON.stringify(row.files ?? []);
            if (row.isUnread) this.divider ??= row.id;
        }
        for (const id of this.items.keys()) if (!this.rows.has(id)) this.undraw(id);
    },

    /** Improves what the server cannot know: the time zone, the photos, players and previews. */
    refine() {
        const isOtherZone = -new Date().getTimezoneOffset() * 60 !== Number(meta("zone"));
        let before = null;
        for (const id of this.order) {
            const [row, item] = [this.rows.get(id), this.items.get(id)];
            if (item?.files) {
                if (isOtherZone) write(item.querySelector(".meta time"), format("time", row.time));
                this.mark(item, row, before);
                if (row.author.operator?.photo) item.querySelector(".photo")?.replaceWith(photo(row.author.operator));
                for (const audio of item.querySelectorAll("audio")) {
                    audio.replaceWith(player(audio.getAttribute("src"), Number(audio.dataset.ms) || 0, audio.dataset.name));
                }
                if (row.buttons?.some((button) => button.image)) item.querySelector(".quick")?.replaceWith(quickReplies(row));
                if (row.link && screen.showsLinkPreviews) previews.observe(item);
            }
            before = row;
        }
        this.learn();
    },

    /** Tells the browser the heights of new lists, so that no row moves when a skipped list becomes visible. */
    learn(chunks = list.querySelectorAll("ol.chunk:not(#local)")) {
        const lists = [...chunks].filter((chunk) => !chunk.style.containIntrinsicBlockSize);
        for (const { style } of lists) style.contentVisibility = "visible";
        const heights = lists.map((chunk) => chunk.getBoundingClientRect().height);
        lists.forEach(({ style }, index) => {
            style.containIntrinsicBlockSize = `auto ${heights[index]}px`;
            style.contentVisibility = "";
        });
    },

    /** Draws what depends on the row before: the day, the divider, and whether the name is repeated. */
    mark(item, row, before) {
        const isNewDay = !before || dayOf(before.time) !== dayOf(row.time);
        const isDivider = row.id === this.divider;
        const follows = !isNewDay && !isDivider && speaker(before) === speaker(row);
        if (follows !== "follows" in item.dataset) item.toggleAttribute("data-follows", follows);
        let [day, divider] = [item.querySelector(":scope > .day"), item.querySelector(":scope > .unread-divider")];
        if (isDivider && !divider) item.prepend(el("p", { class: "unread-divider" }, t("message.unread_divider")));
        else if (!isDivider) divider?.remove();
        if (!isNewDay) return day?.remove();
        if (!day) item.prepend(day = el("p", { class: "day" }));
        write(day, dayName(row.time));
    },

    markAt(index) {
        const id = this.order[index];
        const item = this.items.get(id);
        if (item) this.mark(item, this.rows.get(id), this.rows.get(this.order[index - 1]));
    },

    undraw(id) {
        const item = this.items.get(id);
        this.items.delete(id);
        if (!item) return;
        if (item.contains(document.activeElement)) field.focus();
        this.move(item, () => item.remove());
    },

    /** Puts an element directly behind the element of another row; `null` puts it before all. */
    attach(item, previous) {
        const chunk = previous ? previous.parentNode : list.querySelector("ol.chunk:not(#local)");
        if (!previous) {
            if (!chunk) return this.move(item, () => this.insert(el("ol", { class: "chunk" }, item)));
            if (chunk.firstElementChild !== item) this.move(item, () => chunk.prepend(item));
            return;
        }
        const next = previous.nextElementSibling;
        if (next === item) return;
        if (!next) {
            if (item === this.listAfter(chunk)?.firstElementChild) return;
            if (chunk.childElementCount >= CHUNK) {
                return this.move(item, () => this.insert(el("ol", { class: "chunk" }, item), chunk));
            }
        }
        this.move(item, () => previous.after(item));
    },

    /** Returns the list behind another one, which can be in the next group. */
    listAfter(chunk) {
        const group = chunk.parentNode;
        const next = chunk.nextElementSibling ?? (group === list ? null : group.nextElementSibling);
        return next?.matches(".group") ? next.firstElementChild : next;
    },

    /** Puts a new list behind another one, or before all, and begins a new group if the next one is full. */
    insert(fresh, chunk = null) {
        const group = chunk ? chunk.parentNode : list.firstElementChild;
        if (!group?.matches(".group") || (group.childElementCount >= GROUP && !chunk?.nextElementSibling)) {
            const wrapped = el("div", { class: "group" }, fresh);
            if (chunk) (group === list ? chunk : group).after(wrapped);
            else list.prepend(wrapped);
            return;
        }
        if (chunk) chunk.after(fresh);
        else group.prepend(fresh);
        if (group.childElementCount >= GROUP) group.classList.add("full");
    },

    /** Moves an element, and removes the list and the group that become empty. */
    move(item, change) {
        const chunk = item.parentNode;
        const group = chunk?.parentNode;
        change();
        if (!chunk || chunk.hasChildNodes() || chunk.id === "local") return;
        chunk.remove();
        if (group?.matches(".group") && !group.hasChildNodes()) group.remove();
    },

    /** Draws the row at an index. The row after it, if drawn, follows it. */
    drawAt(index) {
        const id = this.order[index];
        const row = this.rows.get(id);
        let item = this.items.get(id);
        if (!item) {
            item = this.local.get(id)?.item ?? el("li", { class: "row", id: "row-" + id });
            if (this.local.delete(id)) {
                delete item.dataset.local;
                removeUnsent(id);
            }
            this.items.set(id, item);
            fill(item, row);
        }
        this.attach(item, this.items.get(this.order[index - 1]) ?? null);
        this.mark(item, row, this.rows.get(this.order[index - 1]));
    },

    replace(rows) {
        const isFirst = this.rows.size === 0;
        this.keep(() => this.takeRows(rows));
        if (isFirst) this.toEnd();
        this.finish();
        const { target } = this;
        this.target = null;
        this.scrollTo(target);
    },

    takeRows(rows) {
        this.insertFresh();
        const before = this.rows;
        this.rows = new Map(rows.map((row) => [row.id, row]));
        this.order = rows.map((row) => row.id);
        for (const id of [...this.items.keys()]) if (!this.rows.has(id)) this.undraw(id);
        let start = Math.max(0, rows.length - FIRST_ROWS);
        for (let index = 0; index < start; index++) if (this.items.has(this.order[index])) start = index;
        this.noteUnread(rows.slice(start));
        for (let index = start; index < rows.length; index++) {
            const [row, item] = [rows[index], this.items.get(rows[index].id)];
            if (item && JSON.stringify(before.get(row.id)) !== JSON.stringify(row)) fill(item, row);
            this.drawAt(index);
        }
        this.learn();
    },

    /** The divider stays at the first unread message until the visitor writes or leaves. */
    noteUnread(rows) {
        if (this.divider && this.rows.has(this.divider)) return;
        this.divider = rows.find((row) => row.isUnread)?.id ?? null;
    },

    /**
     * Changes rows while the row in the middle of the view keeps its place. The browser would keep the top of a list
     * that it has not laid out, or the top of a row, from which a day or a name can vanish.
     */
    keep(change, isNeeded = true) {
        if (!isNeeded || isAtEnd()) return change();
        const { left, top, width, height } = scroller.getBoundingClientRect();
        const middle = top + height / 2;
        const hit = document.elementFromPoint(left + width / 2, middle);
        const rows = hit && scroller.contains(hit) ? hit.closest("ol.chunk")?.children ?? [] : [];
        const place = [...rows].find((item) => item.getBoundingClientRect().bottom > middle)?.querySelector(".foot");
        const before = place?.getBoundingClientRect().top;
        change();
        // At the top, the row cannot keep its place without rows above it.
        if (this.isNearTop) this.drawNow(CHUNK);
        const moved = place?.isConnected ? place.getBoundingClientRect().top - before : 0;
        // The browser forgets the place that it wanted to keep when the element scrolls.
        scroller.scrollTop += moved + 1;
        scroller.scrollTop--;
    },

    put(row, after) {
        const { id } = row;
        // A row changes or moves only in the document. For a new message at the end, older rows can wait.
        if (this.rows.has(id) || after === null || after !== this.order.at(-1)) this.insertFresh();
        let index = this.order.lastIndexOf(id);
        const place = after === null ? 0 : this.order.lastIndexOf(after) + 1;
        const isUnknownPlace = this.isCut ? place === 0 : after !== null && place === 0;
        if (isUnknownPlace && index < 0) {
            // The row is older than everything that this page has.
            if (!this.isCut) resync();
            return;
        }
        const isNew = index < 0;
        if (row.isUnread && !(this.divider && this.rows.has(this.divider))) this.divider = id;
        this.rows.set(id, row);
        if (!isNew && !isUnknownPlace && this.order[index - 1] !== (after ?? undefined)) {
            // The row has moved.
            this.order.splice(index, 1);
            this.markAt(index);
            index = -1;
        }
        if (index < 0) {
            index = after === null ? 0 : this.order.lastIndexOf(after) + 1;
            this.order.splice(index, 0, id);
        }
        const item = this.items.get(id);
        const isDrawn = item || index === this.order.length - 1 || this.items.has(this.order[index - 1]);
        if (item) fill(item, row);
        if (isDrawn) this.drawAt(index);
        this.markAt(index + 1);
        if (isNew && isDrawn && row.author.kind === "other" && !this.isAtEnd) this.unseen++;
        this.finish();
    },

    remove(id) {
        const index = this.order.lastIndexOf(id);
        if (index < 0) return;
        this.insertFresh();
        this.undraw(id);
        this.order.splice(index, 1);
        this.rows.delete(id);
        this.markAt(index);
        this.finish();
    },

    finish() {
        if (hasToolbar()) {
            const row = this.rows.get(this.order.findLast((id) => this.rows.get(id).buttons));
            const signature = JSON.stringify([row?.id, row?.buttons]);
            if (signature !== this.toolbar) byID("toolbar").replaceChildren(...(row ? [quickReplies(row)] : []));
            this.toolbar = signature;
        }
        this.drawPaging();
        this.drawEmpty();
        this.drawUnseen();
        this.drawOlder();
    },

    drawEmpty() {
        const isEmpty = this.order.length === 0 && this.local.size === 0;
        const empty = byID("empty");
        if (isEmpty === Boolean(empty)) return;
        if (empty) empty.remove();
        else list.append(el("div", { id: "empty" }, el("h2", null, t("empty_chat.title")), el("p", null, t("empty_chat.text"))));
    },

    drawUnseen() {
        const button = byID("new-messages");
        if (this.isAtEnd) this.unseen = 0;
        hide(button, this.isAtEnd);
        write(button.querySelector(".count"), this.unseen ? tn("chat.unread", this.unseen) : "");
    },

    drawPaging() {
        const paging = screen.paging ?? { kind: "idle" };
        const hasUndrawn = this.isCut || this.items.size < this.order.length;
        hide(byID("paging"), paging.kind === "atBeginning" && !hasUndrawn);
        const button = byID("load-older");
        button.disabled = paging.kind === "loading";
        write(button, t(paging.kind === "loading" ? "loading.title" : "action.load_older"));
        byID("paging").querySelector(".failure")?.remove();
        if (paging.kind === "failed") byID("paging").prepend(el("p", { class: "failure", dir: "auto" }, paging.message ?? ""));
        if (paging.kind !== "loading") this.hasAsked = false;
    },

    drawSurveys(before) {
        const all = new Map([...before, ...(screen.surveys ?? [])].map((survey) => [survey.id, survey]));
        for (const id of all.keys()) {
            const [old, current] = [before, screen.surveys ?? []].map((some) => JSON.stringify(some.find((survey) => survey.id === id)));
            if (old !== current && this.items.has(id)) fill(this.items.get(id), this.rows.get(id));
        }
    },

    /** Draws older rows while the visitor is near the oldest drawn one, with a pause for each frame of the screen. */
    drawOlder() {
        if (this.isDrawing || !this.isNearTop || this.items.size >= this.order.length) return;
        this.isDrawing = true;
        requestAnimationFrame(() => {
            this.isDrawing = false;
            const start = performance.now();
            this.drawWhile(() => performance.now() - start < 3);
            this.drawPaging();
            this.drawOlder();
        });
    },

    /** The list for older rows, which is not in the document until it is complete. */
    fresh: null,

    /**
     * Draws older rows into new lists. A list in the document does not grow at its top: the browser keeps the top of a
     * list at its place while it does not know the rows, so that the rows would move down.
     */
    drawWhile(condition) {
        let index = this.order.length - this.items.size - 1;
        for (; index >= 0 && condition(index); index--) {
            const id = this.order[index];
            const item = el("li", { class: "row", id: "row-" + id });
            this.items.set(id, item);
            fill(item, this.rows.get(id));
            this.fresh ??= el("ol", { class: "chunk" });
            this.fresh.prepend(item);
            this.markAt(index);
            if (index === 0 || this.fresh.childElementCount >= CHUNK) this.insertFresh();
        }
    },

    insertFresh() {
        const { fresh } = this;
        this.fresh = null;
        if (!fresh?.hasChildNodes()) return;
        // Older rows are not announced. Later changes of them are.
        fresh.ariaLive = "off";
        setTimeout(() => fresh.removeAttribute("aria-live"), 1000);
        this.insert(fresh);
        this.learn([fresh]);
    },

    /** Draws a number of older rows at once. */
    drawNow(count) {
        if (count <= 0 || this.items.size >= this.order.length) return;
        this.drawWhile(() => count-- > 0);
        this.insertFresh();
    },

    /** Asks for older messages once, until the answer is here. */
    loadOlder() {
        if (this.isCut) return complete();
        if (this.items.size < this.order.length) {
            this.keep(() => this.drawNow(50));
            return this.drawPaging();
        }
        if (this.hasAsked || screen.paging?.kind === "loading" || screen.paging?.kind === "atBeginning") return;
        this.hasAsked = true;
        intend("loadOlder");
    },

    /** Scrolls to a row. The newest one does not take a visitor away who reads older ones and has not asked for it. */
    scrollTo(target) {
        if (!target) return;
        if (target === this.order.at(-1) && target !== this.wanted) {
            if (this.isAtEnd || this.rows.get(target).author.kind === "me") this.toEnd();
            return;
        }
        if (!this.rows.has(target)) {
            if (this.isCut) {
                this.target = target;
                complete();
            }
            return;
        }
        const index = this.order.lastIndexOf(target);
        this.drawNow(this.order.length - this.items.size - index);
        const item = this.items.get(target);
        list.querySelector(".target")?.classList.remove("target");
        item.classList.add("target");
        item.tabIndex = -1;
        item.focus({ preventScroll: true });
        this.reveal(item);
    },

    /** Scrolls a row to the middle. The browser learns the heights of lists only when they become visible. */
    reveal(item, frames = 8) {
        item.scrollIntoView({ block: "center" });
        if (frames > 0) requestAnimationFrame(() => item.isConnected && this.reveal(item, frames - 1));
    },

    toEnd() {
        // In the next frame, this costs no extra layout.
        requestAnimationFrame(() => { scroller.scrollTop = 0; });
        this.isAtEnd = true;
        this.drawUnseen();
    },

    // Rows of this page

    /** Shows a message that the server process has not confirmed. It is never more than waiting. */
    addLocal(row, extra) {
        const item = el("li", { class: "row", id: "row-" + row.id });
        this.local.set(row.id, { row, item, ...extra });
        fill(item, row);
        item.dataset.local = "";
        let place = byID("local");
        if (!place) list.append(place = el("ol", { class: "chunk", id: "local" }));
        place.append(item);
        this.mark(item, row, this.rows.get(this.order.at(-1)));
        this.drawEmpty();
    },

    updateLocal(id, change) {
        const entry = this.local.get(id);
        if (!entry) return;
        entry.row = { ...entry.row, ...change };
        fill(entry.item, entry.row);
    },

    dropLocal(id) {
        const entry = this.local.get(id);
        if (!entry) return;
        if (entry.item.contains(document.activeElement)) field.focus();
        entry.item.remove();
        this.local.delete(id);
        saveUnsent(id, null);
        this.drawEmpty();
    },
};

// MARK: Sending

function localRow(id, text, files) {
    return {
        id, text, files, isLocal: true, time: now(), kind: { kind: "message" },
        author: { kind: "me", state: { kind: "queued" } }, actions: ["delete"],
    };
}

/** Sends a text. It is stored in the browser until the server process has stored it, under an id that never changes. */
function sendText(id, text, isDraft = false) {
    saveUnsent(id, { text, time: now() }, isDraft);
    if (!history.rows.has(id) && !history.local.has(id)) history.addLocal(localRow(id, text));
    intend("send", { id, text }, (answer) => {
        if (answer.result !== "refused") return removeUnsent(id);
        saveUnsent(id, { text, failure: answer.text });
        refuseLocal(id, answer.text);
    });
}

function refuseLocal(id, text) {
    history.updateLocal(id, { author: { kind: "me", state: { kind: "failed", text } }, actions: ["retry", "delete"] });
}

/** Sends what an earlier page could not send. */
function sendStored() {
    for (const { id, text, failure } of load().unsent) {
        if (history.rows.has(id)) saveUnsent(id, null);
        else if (failure === undefined) sendText(id, text);
        else if (!history.local.has(id)) {
            history.addLocal(localRow(id, text));
            refuseLocal(id, failure);
        }
    }
}

let graphemes = null;
/** The number of characters as people and the server count them. */
function characters(text) {
    if (text.length < 200) return text.length;
    if (!Intl.Segmenter) return [...text].length;
    graphemes ??= new Intl.Segmenter(language);
    let count = 0;
    for (const _ of graphemes.segment(text)) count++;
    return count;
}

function submit() {
    ready();
    const input = screen.input ?? {};
    const text = field.value.trim();
    if (input.isEnabled === false || input.blocked) return;
    if (input.maximumLength && characters(field.value) > input.maximumLength) return drawRemaining();
    if (attachments.some((item) => item.error)) return byID("attachments").querySelector("button").focus();
    const files = attachments.splice(0);
    if (!text && files.length === 0) return;
    history.divider = null;
    files.forEach((item, index) => sendFile(uuid(), item, index === 0 ? text : ""));
    if (files.length === 0) sendText(uuid(), text, true);
    field.value = "";
    draft.sent(files.length > 0);
    drawAttachments();
    drawRemaining();
    history.toEnd();
}

// MARK: Draft

/** The text of the input field: stored in the browser at once, and sent to the server with a pause. */
const draft = {
    timer: 0,
    /** The text that the server has. */
    known: field.defaultValue,

    typed() {
        save((value) => { value.draft = field.value; });
        drawRemaining();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.report(), 300);
    },
    report() {
        if (this.known === field.value) return;
        this.known = field.value;
        intend("typed", { text: field.value });
    },
    /** The server erases its draft with the message. `isStored` tells whether the browser still has the draft. */
    sent(isStored) {
        clearTimeout(this.timer);
        this.known = "";
        if (isStored) save((value) => { delete value.draft; });
        intend("typed", { text: "" });
    },
    restore() {
        const { draft: stored } = load();
        if (stored !== undefined && stored !== field.value && field.value === field.defaultValue) field.value = stored;
        drawRemaining();
        this.report();
    },
    /** Takes over a text of another page of this visitor, or the prefill, unless the visitor types here. */
    take(text) {
        if (text === undefined || text === this.known) return;
        const isEdited = field.value !== this.known || document.activeElement === field;
        this.known = text;
        if (!isEdited) field.value = text;
    },
};

function drawComposer(before) {
    const input = screen.input ?? {};
    const isEnabled = input.isEnabled !== false && !input.blocked;
    composer.toggleAttribute("data-blocked", !isEnabled);
    field.readOnly = !isEnabled;
    byID("send").disabled = !isEnabled;
    const blocked = byID("blocked");
    hide(blocked, !input.blocked);
    const reason = {
        outOfHours: "banner.out_of_hours", notConfigured: "banner.configuration_failed", disabled: "chat.available_readonly_text",
    }[input.blocked?.kind] ?? "input.blocked";
    write(blocked, input.blocked ? clean(input.blocked.text ?? t(reason)) : "");
    const quote = byID("quote");
    hide(quote, !input.quote);
    quote.querySelector("blockquote").replaceChildren(...(input.quote ? quoteParts(input.quote) : []));
    hide(composer.querySelector(".attach"), !(input.showsAttachButton && isEnabled));
    hide(byID("record"), !(input.showsVoiceButton && isEnabled));
    const extensions = (screen.limits?.fileExtensions ?? []).filter((name) => /^[\w-]+$/.test(name));
    byID("file").accept = extensions.map((name) => "." + name).join(",");
    if (before && input.text !== before.text) draft.take(input.text);
    if (input.prefill && input.prefill !== before?.prefill && !field.value) field.value = input.prefill;
    drawRemaining();
}

function drawRemaining() {
    const rest = (screen.input?.maximumLength ?? 4000) - characters(field.value);
    write(byID("remaining"), rest < 0 ? `${t("input.too_long")} (${rest})` : rest < 200 ? tn("input.remaining", rest) : "");
    if (!CSS.supports("field-sizing", "content")) field.rows = Math.min(6, field.value.split("\n").length);
}

// MARK: Attachments

/** The files that the visitor has chosen: { file, ms, url, error }. */
const attachments = [];

function limitError(file) {
    const { maximumBytes, fileExtensions = [] } = screen.limits ?? {};
    const extension = file.name.includes(".") ? file.name.split(".").pop().toLowerCase() : "";
    if (fileExtensions.length && !fileExtensions.some((other) => other.toLowerCase() === extension)) {
        return `${t("errors.disallowed_file_loading")} (${fileExtensions.join(", ")})`;
    }
    return maximumBytes > 0 && file.size > maximumBytes
        ? `${t("errors.file_too_large")} (${bytes(file.size)} > ${bytes(maximumBytes)})` : null;
}

function choose(files, ms = null) {
    ready();
    if (!screen.input?.showsAttachButton && ms === null) return;
    for (const file of [...files].slice(0, 10 - attachments.length)) {
        const hasPreview = PICTURES.includes(file.type) || file.type.startsWith("audio/");
        attachments.push({ file, ms, url: hasPreview ? URL.createObjectURL(file) : null, error: limitError(file) });
    }
    drawAttachments();
    field.focus();
}

function drawAttachments() {
    byID("attachments").replaceChildren(...attachments.map((item) => {
        const { file, url, error } = item;
        const remove = el("button", { type: "button", class: "remove", "aria-label": `${t("input.remove_file")} ${file.name}` }, "×");
        remove.onclick = () => {
            attachments.splice(attachments.indexOf(item), 1);
            if (url) URL.revokeObjectURL(url);
            drawAttachments();
            field.focus();
        };
        return el("li", { class: "attachment" },
            url && PICTURES.includes(file.type) && el("img", { src: url, alt: "" }),
            url && file.type.startsWith("audio/") && player(url, item.ms, file.name),
            el("bdi", null, file.name), el("span", { class: "size" }, bytes(file.size)), remove,
            error && el("p", { class: "limit-error", role: "alert" }, error));
    }));
}

let uploads = Promise.resolve();
/** Sends a file. The upload is repeated with the same id until the server process answers or the visitor cancels. */
function sendFile(id, item, text) {
    const { file, ms, url } = item;
    if (url) history.blobs.set(id, url);
    const shown = (state) => [{ name: file.name, type: file.type, size: file.size, state }];
    const entry = { request: null, isCancelled: false, again: () => sendFile(id, item, text) };
    if (!history.local.has(id)) history.addLocal(localRow(id, text, shown({ kind: "pending" })), entry);
    Object.assign(history.local.get(id), entry);
    history.updateLocal(id, { author: { kind: "me", state: { kind: "queued" } }, actions: ["delete"] });
    const attempt = (tries) => new Promise((resolve) => {
        const current = history.local.get(id);
        if (!current) return resolve();
        const request = current.request = new XMLHttpRequest();
        const form = new FormData();
        form.append("form", token);
        form.append("id", id);
        if (text) form.append("text", text);
        if (ms) form.append("durationMilliseconds", String(Math.round(ms)));
        form.append("file", file, file.name);
        request.open("POST", base + "files");
        request.setRequestHeader("Accept", "application/json");
        request.responseType = "json";
        let shownAt = 0;
        request.upload.onprogress = (event) => {
            if (performance.now() - shownAt < 200) return;
            shownAt = performance.now();
            history.updateLocal(id, { files: shown({ kind: "uploading", sent: event.loaded, total: event.total }) });
        };
        const fail = (reason) => {
            history.updateLocal(id, { files: shown({ kind: "pending" }) });
            refuseLocal(id, reason);
            resolve();
        };
        request.onload = () => {
            const answer = request.response;
            if (answer?.result === "accepted" || answer?.result === "done") {
                history.updateLocal(id, { files: shown({ kind: "pending" }), actions: [] });
                resolve();
            } else if (answer?.result === "refused" || request.status < 500) {
                fail(answer?.text ?? t("errors.during_load_file"));
            } else request.onerror();
        };
        request.onerror = () => {
            history.updateLocal(id, { files: shown({ kind: "pending" }) });
            setTimeout(() => resolve(attempt(tries + 1)), Math.min(10_000, 500 * 2 ** tries));
        };
        request.onabort = () => resolve();
        request.send(form);
    });
    uploads = uploads.then(() => attempt(0));
}

// MARK: Voice

const recorder = {
    media: null,
    types: [["audio/ogg;codecs=opus", "ogg"], ["audio/mp4", "m4a"], ["audio/webm;codecs=opus", "webm"]],

    async start() {
        ready();
        const allowed = screen.limits?.fileExtensions ?? [];
        const type = window.MediaRecorder && this.types.find(([type, extension]) =>
            MediaRecorder.isTypeSupported(type) && (!allowed.length || allowed.includes(extension)));
        // Without a recorder, the system's own can be used.
        if (!type || !navigator.mediaDevices) return this.chooseFile();
        let stream;
        try {
            stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        } catch {
            notify(t("errors.microphone_denied"));
            return;
        }
        const pieces = [];
        const begin = performance.now();
        const media = this.media = new MediaRecorder(stream, { mimeType: type[0] });
        let size = 0;
        const timer = setInterval(() => {
            const ms = performance.now() - begin;
            write(byID("record-time"), minutes(ms / 1000));
            if (ms > 600_000 || (screen.limits?.maximumBytes && size > screen.limits.maximumBytes * 0.9)) this.stop();
        }, 250);
        media.ondataavailable = (event) => { pieces.push(event.data); size += event.data.size; };
        media.onstop = () => {
            clearInterval(timer);
            for (const track of stream.getTracks()) track.stop();
            this.media = null;
            this.draw();
            if (media.isCancelled || size === 0) return;
            const name = `voice-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${type[1]}`;
            choose([new File(pieces, name, { type: type[0].split(";")[0] })], performance.now() - begin);
        };
        media.start(1000);
        this.draw();
        byID("stop-record").focus();
    },

    chooseFile() {
        const input = el("input", { type: "file", accept: "audio/*", capture: true });
        input.onchange = () => choose(input.files, 0);
        input.click();
    },

    stop(isCancelled = false) {
        if (!this.media) return;
        this.media.isCancelled = isCancelled;
        this.media.stop();
        field.focus();
    },

    draw() {
        const isRecording = this.media !== null;
        hide(byID("recording"), !isRecording);
        byID("record").disabled = isRecording;
        write(byID("record-time"), minutes(0));
    },
};

// MARK: Search

const search = {
    panel: byID("search"),
    input: byID("search").querySelector("input"),
    timer: 0,

    open() {
        this.panel.dataset.open = "true";
        byID("search-toggle").setAttribute("aria-expanded", "true");
        this.input.focus();
    },
    close() {
        if (this.panel.dataset.open !== "true") return;
        this.panel.dataset.open = "false";
        byID("search-toggle").setAttribute("aria-expanded", "false");
        this.input.value = "";
        this.ask();
        byID("search-toggle").focus();
    },
    ask() {
        clearTimeout(this.timer);
        intend("search", { text: this.input.value });
    },
    typed() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask(), 150);
    },
    draw() {
        const found = screen.search;
        const results = found?.results ?? [];
        const status = byID("search-status");
        status.replaceChildren(...(!found ? [] : [
            found.isSearching ? t("loading.title")
                : results.length ? tn("search.results", Math.max(found.total ?? 0, results.length)) : t("search.no_results"),
            found.isLocal ? " " + t("search.local") : "",
            ...(found.failure ? [" ", el("span", { class: "detail", dir: "auto" }, found.failure.message ?? "")] : []),
        ]));
        const focused = document.activeElement?.form?.message?.value;
        byID("search-results").replaceChildren(...results.map((row) => el("li", null,
            act("showContext", { message: row.id }, "hit",
                el("span", { class: "who" }, row.author.kind === "other" ? el("bdi", null, operatorName(row.author.operator))
                    : t(row.author.kind === "me" ? "message.you" : "operator.system")), " ",
                el("time", null, `${dayName(row.time)} ${format("time", row.time)}`),
                el("span", { class: "text", dir: "auto" },
                    row.isMasked ? "••••••" : marked((row.text ?? row.files?.[0]?.name ?? "").slice(0, 200), found.text))))));
        hide(byID("search-more").closest(".edge"), !found?.hasMore);
        if (focused && document.activeElement === body) focusHit(focused);
    },
};

/** Returns the nodes of a text with the text of the search marked. */
function marked(text, wanted) {
    const [lower, part] = [text.toLowerCase(), wanted.toLowerCase()];
    // Lower case can be longer than upper case, and then the places differ.
    if (!part || lower.length !== text.length) return text;
    const nodes = [];
    let end = 0;
    for (let index = lower.indexOf(part); index >= 0; index = lower.indexOf(part, end)) {
        nodes.push(text.slice(end, index), el("mark", null, text.slice(index, index + part.length)));
        end = index + part.length;
    }
    return [...nodes, text.slice(end)];
}

function focusHit(id) {
    const hit = [...document.querySelectorAll("#search-results form")].find((form) => form.message.value === id);
    (hit?.querySelector("button") ?? field).focus();
}

// MARK: Context

/** The surroundings of a search hit. They cover the conversation, which keeps its place. */
const context = {
    panel: byID("context"),
    scroller: byID("context-scroll"),

    draw(before) {
        const current = screen.context;
        hide(this.panel, !current);
        scroller.inert = Boolean(current);
        if (!current) {
            byID("context-rows").replaceChildren();
            if (before) focusHit(before.target);
            return;
        }
        const isNew = before?.target !== current.target;
        // Keeps the first visible row at its place when older rows appear above it.
        const items = new Map([...byID("context-rows").children].map((item) => [item.dataset.id, item]));
        const top = this.scroller.getBoundingClientRect().top;
        const anchor = isNew ? null : [...items.values()].find((item) => item.getBoundingClientRect().bottom > top);
        const place = anchor?.getBoundingClientRect().top;
        let [previous, unread] = [null, history.divider];
        history.divider = null;
        byID("context-rows").replaceChildren(...(current.rows ?? []).map((row) => {
            let item = items.get(row.id);
            const signature = JSON.stringify(row);
            if (!item) item = el("li", { class: "row", id: "context-" + row.id, tabindex: "-1" });
            if (item.signature !== signature) fill(item, row);
            item.signature = signature;
            item.classList.toggle("target", row.id === current.target);
            history.mark(item, row, previous);
            previous = row;
            return item;
        }));
        history.divider = unread;
        this.edge("older", current.older);
        this.edge("newer", current.newer);
        if (anchor?.isConnected) this.scroller.scrollTop += anchor.getBoundingClientRect().top - place;
        const target = byID("context-" + current.target);
        if (target && (isNew || !this.isPlaced)) {
            target.scrollIntoView({ block: "center" });
            target.focus({ preventScroll: true });
        }
        this.isPlaced = Boolean(target);
    },

    edge(name, edge) {
        const button = byID("context-" + name);
        const box = button.closest(".edge");
        hide(box, !edge || edge.kind === "atEnd");
        button.disabled = edge?.kind === "loading";
        write(button, t(edge?.kind === "loading" ? "loading.title" : name === "older" ? "action.load_older" : "search.more"));
        box.querySelector(".failure")?.remove();
        if (edge?.kind === "failed") box.prepend(el("p", { class: "failure", dir: "auto" }, edge.message ?? ""));
    },
};

// MARK: What the visitor does

/** Forms become intents. */
function submitted(event) {
    const form = event.target;
    if (form.id === "upload") return;
    event.preventDefault();
    ready();
    if (form === composer) return submit();
    if (form.id === "search-form") return search.ask();
    const { intent, form: _, ...fields } = Object.fromEntries(new FormData(form));
    if (intent === "press") fields.id = uuid();
    if (intent === "submit") sendComment(form);
    const local = history.local.get(fields.message);
    if (local && intent === "delete") {
        local.request?.abort();
        // The server process may have the message already.
        const isUnsent = outbox.some((item) => item.fields.id === fields.message);
        outbox = outbox.filter((item) => item.fields.id !== fields.message);
        // An upload is refused if the server process gets the rest of it later.
        if (!isUnsent) intend(local.again ? "cancelUpload" : "delete", { message: fields.message }, () => {});
        return history.dropLocal(fields.message);
    }
    if (local && intent === "retry") return local.again ? local.again() : retryLocal(fields.message, local);
    if (intent === "loadOlder") return history.loadOlder();
    if (intent === "showContext") history.wanted = fields.message;
    // A second click must not press twice.
    if (intent === "press") {
        // A disabled button cannot keep the focus.
        if (form.parentNode.contains(document.activeElement)) field.focus();
        for (const button of form.parentNode.querySelectorAll("button")) button.disabled = true;
    }
    intend(intent, fields, intent === "press" ? (answer) => {
        if (answer.result !== "refused") return;
        notify(answer.text);
        for (const button of document.querySelectorAll(".quick button")) button.disabled = false;
    } : null);
}

function retryLocal(id, local) {
    history.updateLocal(id, { author: { kind: "me", state: { kind: "queued" } }, actions: ["delete"] });
    sendText(id, local.row.text);
}

/** Sends the comment of a survey before the survey itself. */
function sendComment(form) {
    const area = form.closest(".survey")?.querySelector("textarea.comment");
    if (area) intend("comment", { survey: form.survey.value, text: area.value });
}

function changed(event) {
    const { target } = event;
    if (target.id === "file") {
        choose(target.files);
        target.value = "";
    } else if (target.matches(".question input")) {
        const { survey, question } = target.form;
        intend("rate", { survey: survey.value, question: question.value, rate: target.value });
    } else if (target.matches("textarea.comment")) {
        intend("comment", { survey: target.form.survey.value, text: target.value });
    }
}

async function clicked(event) {
    const target = event.target.closest("button, a");
    if (!target) return;
    const row = target.closest("li.row");
    if (target.matches("a[target=_blank]") && /^https?:/.test(target.getAttribute("href"))) {
        intend("opened", { url: target.getAttribute("href") });
    } else if (target.matches("a.thumb")) {
        event.preventDefault();
        lightbox(target);
    } else if (target.matches("button.reply")) {
        intend("quote", { message: row.dataset.id });
        if (target.closest("#context")) intend("closeContext");
        field.focus();
    } else if (target.matches("button.copy")) {
        const value = history.rows.get(row.dataset.id) ?? screen.context?.rows?.find(({ id }) => id === row.dataset.id);
        await navigator.clipboard?.writeText(value?.text ?? value?.formatted ?? "").catch(() => {});
    } else if (target.id === "quote-remove") {
        intend("quote", { message: null });
        field.focus();
    } else if (target.id === "search-toggle") {
        if (search.panel.dataset.open === "true") search.close();
        else search.open();
    } else if (target.id === "search-close") search.close();
    else if (target.id === "new-messages") {
        history.toEnd();
        field.focus();
    } else if (target.id === "record") recorder.start();
    else if (target.id === "stop-record") recorder.stop();
    else if (target.id === "cancel-record") recorder.stop(true);
}

/** Shows a picture in the page. The browser closes it with Escape and returns the focus. */
function lightbox(thumb) {
    const close = el("button", { type: "button" }, t("action.close"));
    const dialog = el("dialog", { id: "lightbox", "aria-label": thumb.firstChild.alt },
        el("img", { src: thumb.getAttribute("href"), alt: thumb.firstChild.alt }), close);
    close.onclick = () => dialog.close();
    dialog.onclose = () => { dialog.remove(); thumb.focus(); };
    body.append(dialog);
    dialog.showModal();
}

function pressed(event) {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.target === field && event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        submit();
    } else if (event.key === "Escape" && !byID("lightbox")) {
        if (recorder.media) recorder.stop(true);
        else if (screen.context) intend("closeContext");
        else if (search.panel.dataset.open === "true") search.close();
        else if (screen.input?.quote) intend("quote", { message: null });
    }
}

function dropped(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    body.toggleAttribute("data-drop", event.type === "dragover");
    if (event.type === "drop") choose(event.dataTransfer.files);
}

// MARK: Start

let isReady = false;
/** Reads the state that the server has put into the page. The first action of the visitor can cause it. */
function ready() {
    if (isReady) return;
    isReady = true;
    const frame = JSON.parse(byID("chat-state").textContent || "{}");
    // Without a state, the rows stay until the first frame.
    if (frame.kind !== "state") return history.collect();
    const { rows, cut, ...fields } = frame.state;
    screen = fields;
    texts = frame.texts ?? {};
    takeTheme(frame.theme);
    clockOffset = frame.now - performance.now();
    link.seen = frame.n;
    history.isCut = cut === true;
    history.adopt(rows ?? []);
    byID("banners").signature = JSON.stringify(screen.banners ?? []);
    composer.append(el("p", { id: "drop", "aria-hidden": "true" }, t("input.drop_files")));
}

function start() {
    ready();
    link.open();
    sendStored();
    draft.restore();
    setInterval(tick, 1000);
    new IntersectionObserver((entries) => {
        // Several changes can arrive together; the last one counts.
        history.isNearTop = entries.at(-1).isIntersecting;
        history.drawOlder();
    }, { root: scroller, rootMargin: "6000px 0px" }).observe(byID("paging"));
    (window.requestIdleCallback ?? setTimeout)(() => history.refine());
}

document.documentElement.classList.add("js");
document.addEventListener("submit", submitted);
document.addEventListener("change", changed);
document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
document.addEventListener("dragover", dropped);
document.addEventListener("dragleave", dropped);
document.addEventListener("drop", dropped);
document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") draft.report();
    else if (!link.isOpen && !link.ended) link.open();
    appeared();
});
window.addEventListener("online", () => { if (!link.isOpen && !link.ended) link.open(); });
window.addEventListener("beforeunload", (event) => {
    if (link.ended === "signedOut") return;
    if ([...history.local.values()].some((entry) => entry.again) || attachments.length) event.preventDefault();
});
field.addEventListener("input", () => draft.typed());
search.input.addEventListener("input", () => search.typed());
search.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
        event.preventDefault();
        search.ask();
    }
});
composer.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    choose(files);
});
scroller.addEventListener("scroll", () => {
    if (history.isNearTop && history.items.size >= history.order.length) history.loadOlder();
    if (isAtEnd() === history.isAtEnd) return;
    history.isAtEnd = isAtEnd();
    history.drawUnseen();
}, { passive: true });

performance.mark("chat-interactive");
// The first frame of the screen comes before the rest.
setTimeout(start);
