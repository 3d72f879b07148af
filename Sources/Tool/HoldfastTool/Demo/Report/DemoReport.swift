/// What came of a demo: the one source of the table, the JSON and the exit code.
struct DemoReport: Hashable, Sendable {
    /// Where the chat server listened.
    var address: String
    /// The steps, in order.
    var results: [DemoResult]

    /// Whether there were steps, and all of them came out as they had to.
    var isAsItMustBe: Bool { !results.isEmpty && results.allSatisfy(\.isAsItMustBe) }

    /// The exit code that follows.
    var status: ToolStatus { isAsItMustBe ? .success : .failure }
}
