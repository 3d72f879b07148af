import ChatPage

/// The properties that must hold for the frames of a page.
enum PageFuzzing {
    private static let name = "fuzz"

    static func intent(_ bytes: [UInt8]) throws(BrokenPromise) {
        var session = PageSession(name: name) { _ in nil }
        let client: String
        do throws(PageProtocolError) {
            client = try PageSession.client(of: bytes)
        } catch {
            try check(error)
            return
        }
        guard case .failure(let refused) = receive(bytes, from: client + "x", &session) else {
            throw BrokenPromise("the frame of another page was accepted")
        }
        try BrokenPromise.unless(
            refused.code == .invalidField || refused.code == .wrongSession, "an unexpected error: \(refused)")

        switch receive(bytes, from: client, &session) {
        case .success(.perform(let number, let intent)):
            try performed(number, intent, bytes, client, &session)
        case .success(let received): throw BrokenPromise("the first frame of a page counts as repeated: \(received)")
        case .failure(let error):
            try check(error)
            guard let answer = error.answer else { return }
            try BrokenPromise.unless(
                receive(bytes, from: client, &session) == .success(.answered(answer)), "a refused number has no answer")
        }
    }

    private static func performed(
        _ number: UInt64, _ intent: PageIntent, _ bytes: [UInt8], _ client: String, _ session: inout PageSession
    ) throws(BrokenPromise) {
        try BrokenPromise.unless(
            receive(bytes, from: client, &session) == .success(.pending(number)), "a repeated frame is performed twice")
        let answer = session.answer(number, from: client, .done)
        try BrokenPromise.unless(
            receive(bytes, from: client, &session) == .success(.answered(answer)),
            "a repeated frame gets another answer")

        let again = intent.frame(session: name, client: client, number: number)
        // Control characters become longer when they are escaped, so the written frame can exceed the limit.
        guard again.count <= PageProtocolLimits().maximumBytes else { return }
        var other = PageSession(name: name) { _ in nil }
        try BrokenPromise.unless(
            receive(again, from: client, &other) == .success(.perform(number, intent)),
            "the written frame gives another intent")
    }

    private static func receive(
        _ bytes: [UInt8], from client: String, _ session: inout PageSession
    ) -> Result<PageReceived, PageProtocolError> {
        do throws(PageProtocolError) {
            return .success(try session.receive(bytes, from: client))
        } catch {
            return .failure(error)
        }
    }

    private static func check(_ error: PageProtocolError) throws(BrokenPromise) {
        try BrokenPromise.unless(!error.reason.isEmpty, "the error has no reason: \(error)")
    }
}
