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
