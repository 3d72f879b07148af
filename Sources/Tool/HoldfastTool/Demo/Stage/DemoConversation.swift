import ChatCenter

/// The conversation of the demo's chat steps, which build on each other.
actor DemoConversation {
    /// The folder for the clients' stores.
    nonisolated let folder: WorkFolder
    private var client: DemoClient?
    private(set) var texts: [String] = []
    private var file: ChatScreenMessage.File?

    /// Creates a conversation without a client.
    init(folder: WorkFolder) {
        self.folder = folder
    }

    /// Returns the client that an earlier step opened. Throws if that step failed.
    func opened() throws -> DemoClient {
        guard let client else { throw ToolError("there is no conversation: an earlier step failed", status: .failure) }
        return client
    }

    /// Sets the client.
    func begin(_ client: DemoClient) {
        self.client = client
    }

    /// Records a text that was sent and acknowledged.
    func note(_ text: String) {
        texts.append(text)
    }

    /// Records the uploaded file.
    func note(_ file: ChatScreenMessage.File) {
        self.file = file
    }

    /// Returns the uploaded file. Throws if there is none.
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
