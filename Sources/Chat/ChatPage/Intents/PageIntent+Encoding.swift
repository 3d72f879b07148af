import ChatCenterCore

extension PageIntent {
    /// Returns the frame with which a page sends the intent. Tests use it, and clients in Swift.
    package func frame(session: String, client: String, number: UInt64) -> [UInt8] {
        var writer = PageWriter { _ in nil }
        writer.object { writer in
            writer.number("v", 1)
            writer.text("session", session)
            writer.text("client", client)
            writer.number("to", Int64(clamping: number))
            writer.text("intent", name)
            writeFields(to: &writer)
        }
        return writer.bytes
    }

    private func writeFields(to writer: inout PageWriter) {
        switch self {
        case .send(let id, let text):
            writer.text("id", id.text)
            writer.text("text", text)
        case .press(let id, let message, let index):
            writer.text("id", id.text)
            writer.text("message", message.text)
            writer.number("index", Int64(index))
        case .retry(let message), .delete(let message), .showContext(let message), .cancelUpload(let message):
            writer.text("message", message.text)
        case .quote(let message): writer.member("message") { $0.write(message?.text) }
        case .typed(let text), .search(let text): writer.text("text", text)
        case .rate(let survey, let question, let rate):
            writer.text("survey", survey.text)
            writer.identifier("question", question)
            writer.identifier("rate", rate)
        case .comment(let survey, let text):
            writer.text("survey", survey.text)
            writer.text("text", text)
        case .submit(let survey): writer.text("survey", survey.text)
        case .closeThread(let request), .reopenThread(let request): writer.text("request", request.text)
        case .opened(let url): writer.text("url", url)
        case .loadOlder, .searchMore, .loadOlderContext, .loadNewerContext, .closeContext, .reload, .appeared,
            .disappeared:
            break
        }
    }
}
