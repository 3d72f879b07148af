/// An operation to measure: its name, and a closure that runs it.
struct Subject {
    var group: String
    var name: String
    /// Runs the operation `count` times. Returns whether each result was correct, so that no wrong result is measured.
    var run: (_ count: Int) async throws -> Bool

    /// Creates a subject from a synchronous operation.
    init(_ group: String, _ name: String, _ body: @escaping () throws -> Bool) {
        self.group = group
        self.name = name
        self.run = { count in
            var isRight = true
            for _ in 0..<count { isRight = try body() && isRight }
            return isRight
        }
    }

    /// Creates a subject from an asynchronous operation.
    init(_ group: String, _ name: String, awaiting body: @escaping () async throws -> Bool) {
        self.group = group
        self.name = name
        self.run = { count in
            var isRight = true
            for _ in 0..<count { isRight = try await body() && isRight }
            return isRight
        }
    }
}
