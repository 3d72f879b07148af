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

