import ChatCenter

extension ChatPicture {
    /// The surroundings of a search result.
    struct Context: Hashable, Sendable {
        /// Whether one end of the rows continues.
        enum Edge: Hashable, Sendable {
            case idle, loading, atEnd
            /// More rows could not be loaded, with the reason.
            case failed(String)
            /// The rows are part of the conversation.
            case conversation

            /// The state in one word.
            var name: String {
                switch self {
                case .idle: "idle"
                case .loading: "loading"
                case .atEnd: "atEnd"
                case .failed: "failed"
                case .conversation: "conversation"
                }
            }
        }

        /// The id of the result's row.
        var target: String
        var rows: [ChatRow]
        var older: Edge
        var newer: Edge

        var isLoading: Bool { older == .loading || newer == .loading }

        /// Why rows could not be loaded.
        var failure: String? {
            for case .failed(let reason) in [older, newer] { return reason }
            return nil
        }
    }
}

extension ChatPicture.Context {
    /// The number of rows of the conversation that are shown on each side of a result.
    private static let reach = 5

    /// Describes surroundings.
    init(_ context: ChatScreenContext) {
        self.init(
            target: context.target.text, rows: context.messages.map { ChatRow($0) }, older: Edge(context.older),
            newer: Edge(context.newer))
    }

    /// Returns the surroundings of a row of the conversation; `nil` if the conversation does not contain it.
    init?(of target: String, in conversation: [ChatRow]) {
        guard let index = conversation.firstIndex(where: { $0.id == target }) else { return nil }
        let (first, last) = (max(0, index - Self.reach), min(conversation.count - 1, index + Self.reach))
        self.init(
            target: target, rows: Array(conversation[first...last]), older: .conversation, newer: .conversation)
    }
}

extension ChatPicture.Context.Edge {
    fileprivate init(_ edge: ChatScreenContext.Edge) {
        switch edge {
        case .idle: self = .idle
        case .loading: self = .loading
        case .atEnd: self = .atEnd
        case .failed(let failure): self = .failed(ChatErrorText.sentence(failure))
        }
    }
}

/// Computes what changed in the surroundings of a search result, so that each row is shown once.
struct ChatContextProgress: Hashable, Sendable {
    private var shown: ChatPicture.Context?

    /// Takes the current surroundings, or `nil` if none are open, and returns the change.
    mutating func update(_ context: ChatPicture.Context?) -> ChatChange? {
        guard let context else {
            defer { shown = nil }
            return shown == nil ? nil : .contextGone
        }
        guard context != shown, !context.isLoading else { return nil }
        let known = shown?.target == context.target ? Set(shown?.rows ?? []) : []
        shown = context
        return .context(context, new: context.rows.filter { !known.contains($0) })
    }
}
