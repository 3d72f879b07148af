import ChatCenterCore

/// The server's end of the page protocol for one visitor: a value without input and output.
///
/// All pages (tabs) of a visitor share a session, so they share the numbers of its changes. The caller sends each frame
/// of ``update(_:now:)`` to all of them. Other frames go only to the page that caused them.
public struct PageSession: Sendable {
    /// The name of the session, which each frame of a page must contain.
    public let name: String
    /// The limits of the session.
    public let limits: PageProtocolLimits
    private let imagePath: @Sendable (String) -> String?

    /// The last change's number; 0 before the first page connects.
    public private(set) var number: UInt64 = 0
    /// The time that the caller passed last, in milliseconds since 1970.
    private var time: Int64 = 0
    private var shown: PageSnapshot?
    private var log: PageFrameLog
    private var clients: PageClientTable

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - name: The name of the session. It stays the same if the session is created again for the same visitor.
    ///   - limits: The limits for frames and memory.
    ///   - imagePath: Returns the path from which the page loads the picture with a URL; `nil` if it is not shown. It
    ///     must return the same path whenever it gets the same URL.
    public init(
        name: String, limits: PageProtocolLimits = PageProtocolLimits(),
        imagePath: @escaping @Sendable (String) -> String?
    ) {
        self.name = name
        self.limits = limits
        self.imagePath = imagePath
        log = PageFrameLog(maximumFrames: limits.storedFrames, maximumBytes: limits.storedBytes)
        clients = PageClientTable(limits)
    }

    // MARK: Server to page

    /// Connects a page. Returns the frames that the page has missed and a beat, or one frame with the full state.
    ///
    /// If other pages of the visitor are connected, call ``update(_:now:)`` first and send its frame to them.
    ///
    /// - Parameters:
    ///   - number: The number of the last change that the page has seen; `nil` for a new page.
    ///   - state: The current state.
    ///   - now: The time in milliseconds since 1970. The first change has this number. Therefore, the numbers of a
    ///     session that is created again are higher than before, and its pages get the full state.
    public mutating func connect(after number: UInt64?, _ state: PageState, now: Int64) -> [PageFrame] {
        time = now
        if shown == nil {
            self.number = UInt64(min(max(now, 1), 1 << 52))
            shown = PageSnapshot(state, imagePath)
        } else {
            _ = update(state, now: now)
        }
        if let number, let missed = log.frames(after: number, upTo: self.number) { return missed + [beat(now: now)] }
        return [stateFrame()]
    }

    /// Takes over a new state. Returns the frame with its changes, or `nil` if nothing visible has changed or no page
    /// has connected yet.
    ///
    /// - Parameters:
    ///   - state: The new state.
    ///   - now: The time in milliseconds since 1970; `nil` for the time that was passed last.
    public mutating func update(_ state: PageState, now: Int64? = nil) -> PageFrame? {
        if let now { time = now }
        guard let before = shown else { return nil }
        let after = PageSnapshot(state, after: before, imagePath)
        shown = after
        // A new language or theme changes the whole page.
        if after.appearance != before.appearance {
            number += 1
            let frame = stateFrame()
            log.replace(with: frame)
            return frame
        }
        let fields = after.changedFields(since: before)
        let rows = PageRowChanges(from: before.rows, to: after.rows)
        guard !fields.isEmpty || !rows.isEmpty else { return nil }
        number += 1
        let frame = self.frame("change") { writer in
            writer.member("set") { writer in
                writer.object { writer in
                    for field in fields {
                        writer.member(field.name) { $0.write(raw: field.value ?? Array("null".utf8)) }
                    }
                }
            }
            writer.list("put", rows.put, always: true) { writer, put in
                writer.member("row") { $0.write(row: put.row) }
                writer.member("after") { $0.write(put.after?.text) }
            }
            writer.texts("remove", rows.remove.map(\.text), always: true)
        }
        log.append(frame)
        return frame
    }

    /// Returns a frame that says that the connection works.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    public mutating func beat(now: Int64) -> PageFrame {
        time = now
        return frame("beat") { $0.number("now", now) }
    }

    /// Returns the last frame before the server ends the session.
    ///
    /// - Parameters:
    ///   - code: The reason.
    ///   - text: A sentence for the visitor.
    public func end(_ code: PageEnd, text: String) -> PageFrame {
        frame("end") { writer in
            writer.text("code", code.rawValue)
            writer.text("text", text)
        }
    }

    private func stateFrame() -> PageFrame {
        frame("state") { writer in
            writer.text("session", name)
            writer.number("now", time)
            guard let shown else { return }
            writer.object("state") { writer in
                for field in shown.fields {
                    if let value = field.value { writer.member(field.name) { $0.write(raw: value) } }
                }
                writer.member("rows") { $0.write(rows: shown.rows) }
            }
            writer.write(shown.appearance)
        }
    }

    private func frame(_ kind: String, _ body: (inout PageWriter) -> Void) -> PageFrame {
        var writer = PageWriter(imagePath: imagePath)
        writer.object { writer in
            writer.number("v", 1)
            writer.number("n", Int64(clamping: number))
            writer.text("kind", kind)
            body(&writer)
        }
        return PageFrame(number: number, bytes: writer.bytes)
    }

    // MARK: Page to server

    /// Reads a frame of a page.
    ///
    /// Each page numbers its intents 1, 2, 3 and so on, without gaps. A page that the session does not remember may
    /// continue with any number, because the session may have been created again.
    ///
    /// - Parameters:
    ///   - bytes: The frame.
    ///   - client: The id of the page's connection. The frame must contain the same id. Without a connection,
    ///     ``client(of:limits:)`` returns the frame's own.
    /// - Throws: ``PageProtocolError``. If it has an ``PageProtocolError/answer``, send that to the page.
    public mutating func receive(_ bytes: [UInt8], from client: String) throws(PageProtocolError) -> PageReceived {
        let head = try PageIntentFrame(bytes, limits)
        guard head.session == name else {
            throw PageProtocolError(.wrongSession, number: head.number, reason: "The frame is of another session.")
        }
        guard head.client == client else { throw .invalid("client", "the id of the page that sends the frame") }
        do throws(PageProtocolError) {
            switch try clients.begin(head.number, from: client) {
            case .new: return .perform(head.number, try PageIntent(name: head.intent, head.fields))
            case .pending: return .pending(head.number)
            case .answered(let answer): return .answered(answerFrame(head.number, client, answer))
            }
        } catch {
            // The refusal of an intent that can never be performed is stored. The others do not use up the number.
            var error = error
            error.number = head.number
            error.answer = answer(head.number, from: client, .refused(code: error.code.rawValue, text: error.reason))
            throw error
        }
    }

    /// Stores the result of an intent and returns the frame for its page.
    ///
    /// - Parameters:
    ///   - number: The number of the intent; 0 for a request that has no number, such as the upload of a file.
    ///   - client: The id of the page.
    ///   - answer: The result. If the number was answered before, the first answer is sent again.
    public mutating func answer(_ number: UInt64, from client: String, _ answer: PageAnswer) -> PageFrame {
        answerFrame(number, client, clients.finish(number, from: client, answer))
    }

    private func answerFrame(_ number: UInt64, _ client: String, _ answer: PageAnswer) -> PageFrame {
        frame("answer") { writer in
            writer.number("to", Int64(clamping: number))
            writer.text("client", client)
            switch answer {
            case .done: writer.text("result", "done")
            case .accepted(let message):
                writer.text("result", "accepted")
                writer.text("message", message.text)
            case .refused(let code, let text):
                writer.text("result", "refused")
                writer.text("code", code)
                writer.text("text", text)
            }
        }
    }

    /// Returns the id of the page that sent a frame.
    ///
    /// - Throws: ``PageProtocolError`` if the head of the frame cannot be read.
    public static func client(
        of bytes: [UInt8], limits: PageProtocolLimits = PageProtocolLimits()
    ) throws(PageProtocolError) -> String {
        try PageIntentFrame(bytes, limits).client
    }
}
