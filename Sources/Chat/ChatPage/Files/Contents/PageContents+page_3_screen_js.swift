// This file is generated: change the files in Sources/Chat/ChatPage/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension PageContents {
    /// The contents of `page/3-screen.js`.
    static let page_3_screen_js = ##"""
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


"""##
}
