import ChatWire

// What the server says becomes part of the conversation.
extension ChatCore {
    /// The names of items that come with an event, and that only the store may know. The driver reads these rows, and hands
    /// them in as `recalled` before the event.
    package func namesToRecall(for event: ChatEvent) -> [String] {
        session.isAuthorized ? IntakeMachine.namesToRecall(for: event, live: socket.live, in: window) : []
    }

    mutating func absorb(_ items: [Incoming], from source: Incoming.Source, _ update: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        perform(intake.absorb(items, from: source, &window, at: update.now), &update)
    }

    /// Messages of the other side that were not known are here.
    mutating func received(_ news: [MessageID], from source: Incoming.Source, _ update: inout CoreUpdate) {
        if source == .live {
            typing.stop()
            reading.newsArrived()
        }
        if source != .older {
            // Those that are read at once are told as read.
            if socket.isReady, !presence.isLooking || !isForeground {
                perform(
                    reading.sendDelivered(news.filter { window[$0]?.isUnread == true }, in: window), &update)
            }
            if presence.isLooking, configuration.scrollToLatest.value { screenComposer.scrollToLatest(in: window) }
        }
        if source == .live || source == .gap(isFirst: false) { update.emit(.notify(.received(news))) }
        if source == .gap(isFirst: false) { sync.absorbedNews(news.count) }
    }

    /// How far an own message is; `nil` if it is none, or not known here.
    package func state(of id: MessageID) -> ChatMessageState? {
        window[id]?.delivery.map { visibleState(id, $0) }
    }

    func visibleState(_ id: MessageID, _ delivery: Delivery) -> ChatMessageState {
        delivery.visible(isUploading: transfers.isUploading(id))
    }

    mutating func tellDelivery(_ id: MessageID, _ delivery: Delivery, _ update: inout CoreUpdate) {
        update.emit(.notify(.message(id, visibleState(id, delivery))))
    }
}
