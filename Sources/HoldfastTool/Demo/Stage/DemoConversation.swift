/// The conversation.
final class DemoConversation: Sendable {
    private let folder: WorkFolder

    init(folder: WorkFolder) { self.folder = folder }

    func end() async {}
}
