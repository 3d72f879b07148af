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

