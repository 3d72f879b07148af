import ChatWire
import Testing

/// Replaces each field of each fixture with values of other types. Nothing traps, nothing is lost, other fields are not
/// affected, and unreadable parts are reported.
@Suite struct MutationTests {
    static let numbers = Array(Rewriting.all.indices)

    @Test(arguments: MutationTests.numbers)
    func everyFieldOfEveryFixture(_ number: Int) throws {
        let (text, rewrite) = Rewriting.all[number]
        var read = 0
        var refused = 0
        for mutation in Mutation.all(of: try Fixtures.value(text)) {
            let written: [UInt8]
            do {
                written = try rewrite(mutation.result.bytes)
            } catch is WireError {
                // A frame or answer is only refused if a required part is missing.
                refused += 1
                continue
            }
            read += 1
            let again = try JSONValue(parsing: written)
            #expect(
                Mutation.covers(again, mutation.result),
                "\(mutation.path) = \(mutation.replacement): \(mutation.result.text) became \(again.text)")
            #expect(try rewrite(written) == written, "\(mutation.path): the written text is read as an equal value")
        }
        #expect(read + refused >= Mutation.replacements.count - 1)
    }

    @Test(arguments: Fixtures.contents)
    func oneInvalidItemAffectsNoOtherAndIsReported(_ text: String) throws {
        let good = Content(.message, uuid: "good", text: "fine")
        for mutation in Mutation.all(of: try Fixtures.value(text)) {
            let batch: JSONValue = .object(["messages": .array([good.json, mutation.result, good.json])])
            let messages = try HistoryAnswer(parsing: batch.bytes).messages
            #expect(messages.count == 3)
            #expect(messages.first == good && messages.last == good)
            guard !mutation.isOpaque, messages.count == 3, isClearlyWrong(mutation) else { continue }
            let item = messages[1]
            #expect(
                isUnknown(item) || !item.allProblems.isEmpty,
                "\(mutation.path) = \(mutation.replacement.text) of \(text)")
        }
    }

    private func isUnknown(_ content: Content) -> Bool {
        if case .unknown = content.body { return true }
        return content.quotes.contains(where: isUnknown)
    }

    /// Returns whether an object replaces a scalar, or a string replaces an object or an array.
    private func isClearlyWrong(_ mutation: Mutation) -> Bool {
        switch (mutation.original, mutation.replacement) {
        case (.string, .object), (.number, .object), (.bool, .object), (.object, .string("x")), (.array, .string("x")):
            true
        default: false
        }
    }

    @Test func everyTruncatedFixtureIsAnErrorWithItsPath() throws {
        for (text, rewrite) in Rewriting.all {
            let bytes = Array(text.utf8)
            for length in bytes.indices {
                #expect(throws: (any Error).self) { try rewrite(Array(bytes[..<length])) }
            }
        }
    }

    @Test func hostileTextsAreRefusedOrReadWithoutATrap() throws {
        let deep = String(repeating: #"{"type":"MESSAGE","quotes":["#, count: 200)
        #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
        let quotes = String(repeating: #"{"type":"MESSAGE","quotes":["#, count: 31) + "{}"
        let closed = quotes + String(repeating: "]}", count: 31)
        let nested = Content(try JSONValue(parsing: closed))
        #expect(nested.json.text == closed)
        // A survey in text may have its own nesting up to the same depth, and no more.
        let bomb = String(repeating: #"{\"questions\":["#, count: 100)
        let survey = Content(try JSONValue(parsing: #"{"type":"SURVEY","text":"\#(bomb)"}"#))
        guard case .unknown = survey.body else {
            Issue.record("\(survey.body)")
            return
        }
        // For duplicate keys, the last value is used at every level.
        let twice = Content(
            try JSONValue(
                parsing: #"{"type":"TYPING","type":"MESSAGE","operator":{"name":"a","name":"b"},"text":"1","text":"2"}"#
            ))
        #expect(twice.body == .message)
        #expect(twice.operator?.name == "b")
        #expect(twice.text == "2")
        // Numbers beyond the range of every type.
        let huge = Content(
            try JSONValue(
                parsing: #"{"type":"REQUEST_CLOSE_THREAD","hideAfter":99999999999999999999,"threadId":1e99999}"#))
        #expect(huge.body == .requestCloseThread(hideAfter: nil))
        #expect(huge.threadID == nil)
        #expect(
            huge.json.text == #"{"type":"REQUEST_CLOSE_THREAD","hideAfter":99999999999999999999,"threadId":1e99999}"#)
        for (bytes, code) in [
            ([0x22, 0xED, 0xA0, 0x80, 0x22], JSONError.Code.notUTF8), ([0x22, 0xC0, 0xAF, 0x22], .notUTF8),
            ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], .notUTF8), ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .unexpectedByte),
        ] as [([UInt8], JSONError.Code)] {
            #expect(throws: WireError.self) { try ServerFrame(parsing: bytes) }
            #expect { try JSONValue(parsing: bytes) } throws: { ($0 as? JSONError)?.code == code }
        }
    }
}
