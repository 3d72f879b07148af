import ChatCenter

/// The conversation that the chapter on the chat is about: its steps build on each other.
actor DemoConversation {
    /// Where the clients keep their stores.
    nonisolated let folder: WorkFolder
    private var client: DemoClient?
    private(set) var texts: [String] = []
    private var file: ChatScreenMessage.File?

    /// A conversation that has not begun.
    init(folder: WorkFolder) {
        self.folder = folder
    }

    /// The client that an earlier step opened. Throws if that step failed.
    func opened() throws -> DemoClient {
        guard let client else { throw ToolError("there is no conversation: an earlier step failed", status: .failure) }
        return client
    }

    /// Begins the conversation.
    func begin(_ client: DemoClient) {
        self.client = client
    }

    /// Notes a text that was sent and acknowledged.
    func note(_ text: String) {
        texts.append(text)
    }

    /// Notes the file that went up.
    func note(_ file: ChatScreenMessage.File) {
        self.file = file
    }

    /// The file that went up. Throws if it did not.
    func uploaded() throws -> ChatScreenMessage.File {
        guard let file else { throw ToolError("there is no file: an earlier step failed", status: .failure) }
        return file
    }

    /// Leaves the screen.
    func end() {
        client?.close()
        client = nil
    }
}
