// This file is generated: change the files in Sources/Chat/ChatPage/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension PageContents {
    /// The contents of `page/4-rows.js`.
    static let page_4_rows_js = ##"""
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


"""##
}
