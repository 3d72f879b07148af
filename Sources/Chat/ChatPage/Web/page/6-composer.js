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

