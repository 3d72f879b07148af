import ChatCenter

/// Shows the surroundings of search results.
extension ChatSession {
    /// Executes `/show`.
    func show(_ request: ChatLine.Show) throws(ToolError) {
        let context = screen.state.context
        switch request {
        case .hit(let number): try showHit(number)
        case .older: try load(context?.older, "older") { screen.loadOlderContext() }
        case .newer: try load(context?.newer, "newer") { screen.loadNewerContext() }
        case .close:
            guard context != nil else { throw Self.nothingIsOpen }
            screen.closeContext()
        }
    }

    private func showHit(_ number: Int) throws(ToolError) {
        let results = screen.state.search?.results ?? []
        guard results.indices.contains(number - 1) else {
            throw ToolError(ChatLine.choices("result", results.count, none: "there is no search result: /search TEXT"))
        }
        let target = results[number - 1].id
        let conversation = screen.state.messages.map { ChatRow($0) }
        guard let context = ChatPicture.Context(of: target.text, in: conversation) else {
            return screen.showContext(of: target)
        }
        // The task that shows messages detects a closed output.
        try? terminal.show(.context(context, new: context.rows))
    }

    private func load(
        _ edge: ChatScreenContext.Edge?, _ which: String, _ load: () -> Void
    ) throws(ToolError) {
        switch edge {
        case nil: throw Self.nothingIsOpen
        case .atEnd: terminal.note("there are no \(which) messages around this result")
        case .loading: terminal.note("the \(which) messages are being loaded")
        case .idle, .failed: load()
        }
    }

    private static var nothingIsOpen: ToolError {
        ToolError("no surroundings are open: /show RESULT opens those of a search result")
    }
}
