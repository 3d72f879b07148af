// This file is generated: change the files in Sources/Chat/ChatPage/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension PageContents {
    /// The contents of `page/1-texts.js`.
    static let page_1_texts_js = ##"""
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


"""##
}
