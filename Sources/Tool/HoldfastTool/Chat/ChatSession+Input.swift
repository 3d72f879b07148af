import HoldfastBase
import ChatCenter
import Foundation
import Synchronization

/// Processes the session's input.
extension ChatSession {
    /// The maximum length of a line in bytes: more than the longest message has. A longer line is an error. At a
    /// prompt, the command continues; otherwise, it ends.
    static let lineLimit = 64 << 10

    /// Reads lines and executes them until the input ends, a line ends the session, or a line is invalid.
    func obey(_ signaller: AsyncStream<Signal>.Continuation) async {
        // A download does not delay the next line, but the end of the input waits for it.
        let last: Signal? = await withDiscardingTaskGroup { downloads in
            do {
                let isPrompt = plan.isPrompt
                let end = try await lines.forEach(terminal, isPrompt: isPrompt, unusable: Signal.unusable) { line in
                    switch try read(line) {
                    case .quit:
                        downloads.cancelAll()
                        return .quit
                    case .get(let row, let file, let path):
                        let wanted = try self.file(file, of: row)
                        downloads.addTask { await self.download(wanted, to: path) }
                    case let line: try carryOut(line)
                    }
                    return nil
                }
                return end ?? .inputEnded
            } catch {
                downloads.cancelAll()
                return (error as? ToolError).map { .unusable($0) }
            }
        }
        terminal.removePrompt()
        if let last { signaller.yield(last) }
    }

    private func read(_ line: LineReader.Line) throws(ToolError) -> ChatLine {
        let text = try line.text()
        if plan.takesCommands { return try ChatLine(text) }
        return text.allSatisfy(\.isWhitespace) ? .nothing : .text(text)
    }

    private func carryOut(_ line: ChatLine) throws(ToolError) {
        switch line {
        case .text(let text): try handOver { () throws(ChatSendError) in try screen.send(text) }
        case .file(let path, let text):
            let type = MediaTypes.type(ofFile: path)
            // Open the file before the chat does: this reports the system's own error.
            _ = try InputFile(path: path).read(upTo: 1)
            try handOver { () throws(ChatSendError) in
                try screen.attach(URL(fileURLWithPath: path), type: type, text: text)
            }
        case .press(let number):
            let button = try button(number)
            try handOver { () throws(ChatSendError) in try screen.press(button) }
        case .older:
            guard screen.state.paging != .atBeginning else { return terminal.note("the conversation begins here") }
            screen.loadOlder()
        case .retry(let number):
            let row = try failed(number)
            tally.forgot(row.id)
            tally.handedOver(row.id)
            screen.retry(MessageID(row.id))
        case .delete(let number):
            let row = try failed(number)
            tally.forgot(row.id)
            screen.delete(MessageID(row.id))
        case .reload: screen.reload()
        case .status: terminal.note(status)
        case .help: terminal.note(ChatLine.commandList)
        case .search(let text?): screen.search(text)
        case .search(nil):
            guard screen.state.search?.hasMore == true else { throw ToolError("there are no further search results") }
            screen.searchMore()
        case .show(let request): try show(request)
        case .rate(let rate, let number):
            let survey = try survey()
            guard survey.questions.indices.contains(number - 1) else {
                throw ToolError(
                    ChatLine.choices(
                        "question", survey.questions.count,
                        none: "the survey has no questions to rate"
                            + (survey.asksForComment ? "; /comment TEXT answers it" : "")))
            }
            let question = survey.questions[number - 1]
            guard !question.isAnswered else { throw ToolError("question \(number) is already answered") }
            let rates = question.buttons.map(\.rate)
            guard
                rates.isEmpty
                    ? (question.minimum...max(question.minimum, question.maximum)).contains(rate)
                    : rates.contains(rate)
            else { throw ToolError("\(rate) is not a valid answer to question \(number)") }
            screen.rate(survey.id, question: question.id, rate: rate)
        case .comment(let text): screen.comment(try survey().id, text)
        case .submit:
            let survey = try survey()
            guard survey.canSubmit else { throw ToolError("choose an answer first: /rate") }
            screen.submit(survey.id)
        case .closeThread: screen.closeThread(try closeRequest().id)
        case .reopenThread: screen.reopenThread(try closeRequest().id)
        case .nothing, .quit, .get: break
        }
    }

    private func handOver(_ send: () throws(ChatSendError) -> ChatReceipt) throws(ToolError) {
        do throws(ChatSendError) {
            tally.handedOver(try send().id.text)
        } catch {
            throw ToolError("the message was not accepted: \(ErrorText.sentence(error))", status: .failure)
        }
    }

    private var status: String {
        let state = screen.state
        let picture = ChatPicture(state, now: Self.now())
        var parts = ["connection \(picture.connection)", "trust: \(plan.trust)"]
        parts.append("\(state.unreadCount) unread")
        if tally.unsettled > 0 { parts.append("\(tally.unsettled) pending") }
        return parts.joined(separator: ", ")
    }

    // MARK: Rows

    private func row(_ number: Int) throws(ToolError) -> ChatRow {
        guard let row = transcript.withLock({ $0.row(number) }) else { throw ToolError("there is no row \(number)") }
        return row
    }

    private func failed(_ number: Int) throws(ToolError) -> ChatRow {
        let row = try row(number)
        guard row.state == "failed" || row.state == "queued" || row.state == "uploading" else {
            throw ToolError("row \(number) is not a failed or waiting message")
        }
        return row
    }

    private func button(_ number: Int) throws(ToolError) -> ChatScreenMessage.Button {
        let buttons = screen.state.messages.last { !$0.buttons.isEmpty }?.buttons ?? []
        guard buttons.indices.contains(number - 1) else {
            throw ToolError(ChatLine.choices("button", buttons.count, none: "there is no button to press"))
        }
        return buttons[number - 1]
    }

    private func survey() throws(ToolError) -> ChatScreenSurvey {
        guard let survey = screen.state.surveys.last(where: { $0.kind != .closeRequest && !$0.isAnswered }) else {
            throw ToolError("there is no survey")
        }
        return survey
    }

    private func closeRequest() throws(ToolError) -> ChatScreenSurvey {
        guard let request = screen.state.surveys.last(where: { $0.kind == .closeRequest && !$0.isAnswered }) else {
            throw ToolError("there is no request to close the conversation")
        }
        return request
    }

    private func file(_ number: Int, of rowNumber: Int) throws(ToolError) -> ChatScreenMessage.File {
        let row = try row(rowNumber)
        let files = screen.state.messages.first { $0.id.text == row.id }?.files ?? []
        guard files.indices.contains(number - 1) else { throw ToolError("row \(rowNumber) has no file \(number)") }
        return files[number - 1]
    }

    /// Downloads a file and copies it to `path`. Never overwrites an existing file.
    private func download(_ file: ChatScreenMessage.File, to path: String?) async {
        let name = file.name ?? "file"
        do {
            defer { terminal.showProgress(nil) }
            let copy = try await screen.download(file) { [terminal] progress in
                terminal.showProgress(ProgressLine(label: name, done: progress.completed, total: progress.total))
            }
            terminal.showProgress(nil)
            guard let path else { return try terminal.show(.file(name: name, path: copy.path)) }
            do {
                try FileManager.default.copyItem(at: copy, to: URL(fileURLWithPath: path))
            } catch {
                throw ToolError("'\(Printable.text(path))' cannot be written, or already exists")
            }
            try terminal.show(.file(name: name, path: path))
        } catch is CancellationError {
        } catch {
            // The task that shows messages detects a closed output.
            try? terminal.show(.failed("\(name): \(ToolError(describing: error).sentence)"))
        }
    }
}

/// The media types of common files, by file name extension.
enum MediaTypes {
    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "pdf": "application/pdf", "txt": "text/plain", "csv": "text/csv",
        "json": "application/json",
        "zip": "application/zip", "ogg": "audio/ogg", "mp3": "audio/mpeg", "mp4": "video/mp4",
    ]

    /// Returns the media type for a file name; `application/octet-stream` if it is unknown.
    static func type(ofFile path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
